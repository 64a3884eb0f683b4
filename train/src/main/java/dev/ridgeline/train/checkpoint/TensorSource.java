package dev.ridgeline.train.checkpoint;

import dev.ridgeline.model.draft.Numbers;

/**
 * A tensor that goes into a checkpoint.
 *
 * @param name that it is asked for by: {@code blk.0.attn_q.weight/m}
 * @param numbers are read when the file has come to them
 */
public record TensorSource(String name, long rows, long columns, Numbers numbers) {
  public TensorSource {
    if (name.isEmpty() || rows < 1 || columns < 1) {
      throw new IllegalArgumentException("a tensor '%s' %d×%d".formatted(name, rows, columns));
    }
  }
}
