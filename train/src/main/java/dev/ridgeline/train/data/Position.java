package dev.ridgeline.train.data;

/**
 * How far {@link Batches} have come. Order and cut of an epoch are made of seed and epoch alone, so
 * this is all that there is to keep.
 *
 * @param epoch from 0
 * @param window of the epoch that comes next
 */
public record Position(long epoch, int window) {
  public static final Position START = new Position(0, 0);

  public Position {
    if (epoch < 0 || window < 0) {
      throw new IllegalArgumentException("window %d of epoch %d".formatted(window, epoch));
    }
  }
}
