package dev.ridgeline.train.data;

import dev.ridgeline.train.SplitMix;
import dev.ridgeline.train.TrainException;

/**
 * The training part of a corpus in batches, without end.
 *
 * <p>An epoch is all adjacent windows of {@code length} tokens from some token on, each once, in
 * random order; a window's targets are its tokens shifted by one. Each epoch starts to cut at
 * another token, so that a border once is the middle another time; this leaves out fewer than two
 * windows. Order and start depend only on seed and epoch. A batch at the end of an epoch is filled
 * up from the next.
 *
 * <p>Allocates nothing once it is made. Not safe for use by several threads.
 */
public final class Batches {
  /** With fewer windows, none is given up for another start. */
  private static final int MANY = 16;

  /** Separates the order's random numbers from others of the same seed. */
  private static final long PURPOSE = 0x6f72646572L;

  private final Corpus corpus;
  private final int batch;
  private final int length;
  private final long seed;
  private final int beginnings;
  private final int[] order;
  private final SplitMix random = new SplitMix(0);
  private long epoch;
  private int next;
  private int offset;

  /**
   * @param batch windows of a batch
   * @param length tokens of a window
   */
  public Batches(Corpus corpus, int batch, int length, long seed) {
    if (batch < 1 || length < 1) {
      throw new IllegalArgumentException("batches of %d×%d".formatted(batch, length));
    }
    this.corpus = corpus;
    this.batch = batch;
    this.length = length;
    this.seed = seed;
    // The last token is not an input: nothing follows it.
    int inputs = corpus.training() - 1;
    int whole = inputs / length;
    if (whole < 1) {
      throw new TrainException(
          "%s: only %,d tokens to train on, a sequence of %,d needs %,d"
              .formatted(corpus.name(), corpus.training(), length, length + 1));
    }
    int windows = whole < MANY ? whole : (inputs - length + 1) / length;
    order = new int[windows];
    beginnings = whole < MANY ? inputs - whole * length + 1 : length;
    begin(0, 0);
  }

  /** Windows of an epoch. */
  public int windows() {
    return order.length;
  }

  /** Steps that read all windows so many times, the last one filled up. */
  public long steps(double epochs, int accumulate) {
    double windows = Math.ceil(epochs * order.length);
    return Math.max(1, (long) Math.ceil(windows / ((double) batch * accumulate)));
  }

  /** The epoch of the next window, with a fraction for those of it that are done. */
  public double epochs() {
    return epoch + (double) next / order.length;
  }

  /** The epoch of the next window. */
  public long epoch() {
    return next == order.length ? epoch + 1 : epoch;
  }

  public Position position() {
    return new Position(epoch, next);
  }

  /** Continues where others with the same corpus, sizes and seed were. */
  public void restore(Position position) {
    if (position.window() > order.length) {
      throw new TrainException(
          "%s: the checkpoint is at window %,d of %,d: it belongs to other texts"
              .formatted(corpus.name(), position.window(), order.length));
    }
    begin(position.epoch(), position.window());
  }

  /**
   * Fills in the next batch, window by window.
   *
   * @param inputs {@code batch × length} ids
   * @param targets as many, each the one after its input
   */
  public void next(int[] inputs, int[] targets) {
    for (int row = 0; row < batch; row++) {
      if (next == order.length) begin(epoch + 1, 0);
      int from = offset + order[next++] * length;
      corpus.copy(from, length, inputs, row * length);
      corpus.copy(from + 1, length, targets, row * length);
    }
  }

  private void begin(long epoch, int next) {
    this.epoch = epoch;
    this.next = next;
    random.restore(SplitMix.state(seed, PURPOSE, epoch));
    offset = random.below(beginnings);
    for (int i = 0; i < order.length; i++) {
      int at = random.below(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
  }
}
