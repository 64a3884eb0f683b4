package dev.ridgeline.tensor;

import java.lang.foreign.MemorySegment;

/**
 * All memory outside the heap, as one segment that is addressed by plain numbers.
 *
 * <p>One constant segment is what lets C2 compile a kernel once, without checks of scope and
 * bounds, as fast as on an array. So bounds are checked once per operation, before any kernel runs.
 */
public final class Memory {
  /** The address of a number is its offset here. */
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** What every tensor's address is a multiple of: a cache line, and the widest vector. */
  public static final int ALIGNMENT = 64;

  private Memory() {}
}
