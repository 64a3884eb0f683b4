package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs trials of arms, each in a process of its own. */
@FunctionalInterface
public interface Trials {
  /**
   * Runs one to its end.
   *
   * @param number of the trial in the sweep, from 1
   * @param seconds about how long to measure, once warm
   * @throws Stopped when the user does not want to wait any longer
   * @throws Failed when it cannot be measured
   */
  Measured run(Arm arm, int number, double seconds) throws Stopped;

  /**
   * What came of it.
   *
   * @param plan what its options came to; empty where nobody knows
   * @param directory its folder in the record, or empty
   */
  record Measured(Reading reading, Map<String, String> plan, String directory) {
    public Measured {
      plan = Collections.unmodifiableMap(new LinkedHashMap<>(plan));
    }
  }
}
