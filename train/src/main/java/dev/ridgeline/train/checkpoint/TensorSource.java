package dev.ridgeline.train.checkpoint;

/**
 * A tensor that goes into a checkpoint.
 *
 * @param name that it is read by: {@code weights}
 * @param numbers writes its rows into a block
 */
public record TensorSource(String name, long rows, long columns, Rows numbers) {
  public TensorSource {
    if (name.isEmpty() || rows < 1 || columns < 1) {
      throw new IllegalArgumentException("a tensor '%s' %d×%d".formatted(name, rows, columns));
    }
  }
}
