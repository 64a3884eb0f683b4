package dev.ridgeline.report.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Something measured repeatedly: the raw samples, and which way is better.
 *
 * @param name what was measured: {@code matmul 1024}
 * @param unit of the samples: {@code GFLOP/s}
 * @param better which way is better
 * @param samples as measured, in order; at least one, finite
 */
public record Metric(String name, String unit, Better better, List<Double> samples) {

  /** Which way a metric gets better. */
  public enum Better {
    HIGHER,
    LOWER,
    /** Neither way: a size, a count. */
    NEITHER
  }

  public Metric {
    samples = List.copyOf(samples);
    if (samples.isEmpty()) throw new IllegalArgumentException(name + " has no samples");
    for (double sample : samples) {
      if (!Double.isFinite(sample)) throw new IllegalArgumentException(name + " has " + sample);
    }
  }

  /** A metric of samples in an array. */
  public static Metric of(String name, String unit, Better better, double... samples) {
    return new Metric(name, unit, better, Arrays.stream(samples).boxed().toList());
  }

  /** The middle sample, or the mean of the middle two. */
  public double median() {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    boolean odd = sorted.length % 2 == 1;
    return odd ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2;
  }

  /** How far a sample is from the median at most, as a part of it; 0 where that is zero. */
  public double spread() {
    double median = median();
    if (median == 0) return 0;
    double most = 0;
    for (double sample : samples) most = Math.max(most, Math.abs(sample - median));
    return most / Math.abs(median);
  }

  /**
   * The best sample; the median where neither way is better. Whatever else a machine does makes a
   * program slower and never faster, so that this is more alike from run to run.
   */
  public double best() {
    return switch (better) {
      case HIGHER -> Collections.max(samples);
      case LOWER -> Collections.min(samples);
      case NEITHER -> median();
    };
  }
}
