package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.lab.trial.Reading;

/**
 * One fresh process of a sweep and what it measured.
 *
 * @param arm the name of its arm
 * @param round which round it belongs to, from 1; 0 for a pilot, which counts for nothing
 * @param place in the order of its round, from 1
 * @param counts whether its numbers are used
 * @param seconds it took, the start of its process included
 * @param disturbance what else went on
 * @param reading what it measured
 * @param directory its folder in the record, or empty
 */
public record SweepTrial(
    String arm,
    int round,
    int place,
    boolean counts,
    double seconds,
    Disturbance disturbance,
    Reading reading,
    String directory) {
  /** What it measured of a metric, NaN where it did not. */
  public double value(String metric) {
    for (Reading.Value value : reading.metrics()) {
      if (value.name().equals(metric)) return value.number();
    }
    return Double.NaN;
  }

  /** A pilot that counts after all, in place of a round. */
  SweepTrial counted() {
    return new SweepTrial(arm, 1, place, true, seconds, disturbance, reading, directory);
  }

  /** The same, not counted. */
  SweepTrial setAside() {
    return new SweepTrial(arm, round, place, false, seconds, disturbance, reading, directory);
  }
}
