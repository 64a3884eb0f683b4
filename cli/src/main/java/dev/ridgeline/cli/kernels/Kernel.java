package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;

/**
 * One operation on fixed data: run it as often as you like, the result is the same.
 *
 * <p>A call allocates nothing on the heap, except where a kernel says otherwise.
 */
interface Kernel extends AutoCloseable {
  /** Name of its scope: {@code matmul 512}. */
  String name();

  /** Shapes and what is counted, for people: {@code 512×512 @ 512×512}. */
  String shape();

  /** Bytes that have to move and arithmetic that is done in one call. */
  Work work();

  /** One call. */
  void run();

  /** The rows that {@link #run} writes. */
  float[][] output();

  /** What the definition says an element of the output should be. */
  Reference reference(int row, int column);

  /** Frees threads, where a kernel has some. */
  @Override
  default void close() {}

  /**
   * An element computed in the plainest way, in double precision.
   *
   * @param value what it should be
   * @param tolerance how far float arithmetic may be from it
   */
  record Reference(double value, double tolerance) {
    /** Whether a result agrees. */
    public boolean admits(float result) {
      return Math.abs(result - value) <= tolerance;
    }
  }
}
