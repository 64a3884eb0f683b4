package dev.ridgeline.train.checkpoint;

import java.lang.foreign.MemorySegment;

/** Where the numbers of a tensor go that comes out of a checkpoint. */
@FunctionalInterface
public interface TensorSink {
  /**
   * Takes rows of f32.
   *
   * @param from the first row
   * @param to the row after the last
   * @param numbers theirs, which others take the place of afterwards
   */
  void write(long from, long to, MemorySegment numbers);
}
