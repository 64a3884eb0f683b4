package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;

/**
 * Something to run under the profiler.
 *
 * <p>{@link #warmUp} runs in a session that is thrown away, at the level of the one that counts, so
 * that the JIT sees what it will see; then {@link #measure} runs in the session that is kept.
 */
public interface Workload extends AutoCloseable {
  /** A word for the kind of run, part of its directory's name: {@code kernels-deep}. */
  String name();

  /** What is run, in one line. */
  String title();

  /** The level below which the workload cannot answer. */
  default Level least() {
    return Level.TIME;
  }

  /** Brings code and data to the state in which they are measured. */
  void warmUp(Progress progress);

  /** The measured phase. */
  void measure(Progress progress);

  /**
   * Ends the measured phase early, when asked to from another thread; what was measured is kept.
   *
   * @return whether it will: else nothing is there to be kept, or it cannot
   */
  default boolean cancel() {
    return false;
  }

  /** What the workload has to say about a measured phase. */
  Outcome outcome(Profile profile);

  @Override
  default void close() {}
}
