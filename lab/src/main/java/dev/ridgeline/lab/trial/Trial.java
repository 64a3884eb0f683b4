package dev.ridgeline.lab.trial;

/**
 * One fresh process and what it measured.
 *
 * @param arm whose it is
 * @param triplet which triplet it belongs to, from 1; 0 for a pilot, which counts for nothing
 * @param place in the order of its triplet, from 1
 * @param attempt 1, or more when those before were disturbed
 * @param counts whether its numbers are used
 * @param seconds it took, the start of its process included
 * @param disturbance what else went on
 * @param reading what it measured
 * @param directory its folder in the record, or empty
 * @param failure why it measured nothing, or empty
 */
public record Trial(
    Arm arm,
    int triplet,
    int place,
    int attempt,
    boolean counts,
    double seconds,
    Disturbance disturbance,
    Reading reading,
    String directory,
    String failure) {
  /** What it measured of a metric, NaN where it did not. */
  double value(String metric) {
    return reading.value(metric);
  }

  /** Whether it measured nothing. */
  boolean failed() {
    return !failure.isEmpty();
  }

  /** The same as a pilot. */
  Trial asPilot() {
    return new Trial(
        arm, 0, place, attempt, false, seconds, disturbance, reading, directory, failure);
  }

  /** The same, not counted. */
  Trial setAside() {
    return new Trial(
        arm, triplet, place, attempt, false, seconds, disturbance, reading, directory, failure);
  }
}
