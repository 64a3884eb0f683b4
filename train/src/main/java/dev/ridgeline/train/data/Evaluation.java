package dev.ridgeline.train.data;

/**
 * The part of a corpus that is never trained on, whole and in its order: windows side by side, the
 * last one filled up with targets of −1, which count for nothing.
 *
 * <p>Nothing is allocated once it is made.
 */
public final class Evaluation {
  private static final int NONE = -1;

  private final Corpus corpus;
  private final int batch;
  private final int length;

  /**
   * @param batch windows of a batch
   * @param length tokens of a window
   */
  public Evaluation(Corpus corpus, int batch, int length) {
    if (batch < 1 || length < 1) {
      throw new IllegalArgumentException("batches of %d×%d".formatted(batch, length));
    }
    this.corpus = corpus;
    this.batch = batch;
    this.length = length;
  }

  /** How many tokens are predicted in all; 0 where nothing is held back. */
  public int targets() {
    return Math.max(0, corpus.evaluation() - 1);
  }

  public int batches() {
    return Math.ceilDiv(targets(), Math.multiplyExact(batch, length));
  }

  /**
   * Fills in a batch, window after window.
   *
   * @return how many of its targets count
   */
  public int fill(int index, int[] inputs, int[] targets) {
    int size = batch * length;
    long from = (long) index * size;
    if (from < 0 || from >= targets()) {
      throw new IndexOutOfBoundsException("batch %d of %d".formatted(index, batches()));
    }
    int first = corpus.training() + (int) from;
    int count = (int) Math.min(size, targets() - from);
    corpus.copy(first, count, inputs, 0);
    corpus.copy(first + 1, count, targets, 0);
    for (int i = count; i < size; i++) {
      inputs[i] = 0;
      targets[i] = NONE;
    }
    return count;
  }
}
