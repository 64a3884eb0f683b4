package dev.ridgeline.train.data;

import java.util.function.ToDoubleBiFunction;

/**
 * The part of a corpus that is never trained on, whole and in order: adjacent windows, the last one
 * padded with targets of −1, which do not count.
 *
 * <p>Allocates nothing once it is made. Not safe for use by several threads.
 */
public final class Evaluation {
  private static final int NONE = -1;

  private final Corpus corpus;
  private final int[] inputs;
  private final int[] targets;

  /**
   * @param batch windows of a batch
   * @param length tokens of a window
   */
  public Evaluation(Corpus corpus, int batch, int length) {
    if (batch < 1 || length < 1) {
      throw new IllegalArgumentException("batches of %d×%d".formatted(batch, length));
    }
    this.corpus = corpus;
    this.inputs = new int[Math.multiplyExact(batch, length)];
    this.targets = new int[inputs.length];
  }

  /** The mean loss of all batches. */
  public double loss(ToDoubleBiFunction<int[], int[]> sumOfLosses) {
    double sum = 0;
    for (int i = 0; i < batches(); i++) {
      fill(i, inputs, targets);
      sum += sumOfLosses.applyAsDouble(inputs, targets);
    }
    return sum / targets();
  }

  /** How many tokens are predicted in all; 0 if no text is held out. */
  public int targets() {
    return Math.max(0, corpus.evaluation() - 1);
  }

  public int batches() {
    return Math.ceilDiv(targets(), inputs.length);
  }

  /**
   * Fills in a batch, window by window.
   *
   * @return how many of its targets count
   */
  public int fill(int index, int[] inputs, int[] targets) {
    int size = this.inputs.length;
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
