package dev.ridgeline.train.checkpoint;

import java.lang.foreign.MemorySegment;

/**
 * Copies rows of f32 between a tensor and a checkpoint: into the block to write, out of it to read.
 */
@FunctionalInterface
public interface Rows {
  /**
   * Copies some rows.
   *
   * @param from the first row
   * @param to the row after the last
   * @param block exactly these rows; it is reused for the next ones
   */
  void copy(long from, long to, MemorySegment block);
}
