package dev.ridgeline.model.draft;

import java.lang.foreign.MemorySegment;

/** The numbers of one tensor, which are made or read when they are asked for. */
@FunctionalInterface
public interface Numbers {
  /**
   * Puts rows as f32 into memory.
   *
   * @param from the first row
   * @param to the row after the last
   * @param out room for all of them
   */
  void read(long from, long to, MemorySegment out);
}
