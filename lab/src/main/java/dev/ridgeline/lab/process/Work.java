package dev.ridgeline.lab.process;

import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.nio.file.Path;

/** What a process of an arm does. */
public interface Work {
  /**
   * Does it once, in a fresh process.
   *
   * @param directory where in the record it is kept
   * @param seconds about how long to measure, once warm
   * @param mostSeconds it may take before it counts as hanging
   * @throws ProcessException when it cannot be measured
   */
  Measured run(Path record, String directory, double seconds, double mostSeconds) throws Stopped;
}
