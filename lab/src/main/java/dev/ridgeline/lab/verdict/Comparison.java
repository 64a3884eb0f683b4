package dev.ridgeline.lab.verdict;

import dev.ridgeline.lab.stats.AlignedRanks;
import dev.ridgeline.lab.stats.BenjaminiHochberg;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known about one metric, or one scope, of two sides.
 *
 * @param metric what was measured
 * @param unit of the numbers
 * @param better which way is better
 * @param a one number per pair
 * @param b one number per pair
 * @param ratio log-ratio of B to A of the metric itself, whichever way is better
 * @param p how often chance alone shows as much
 * @param q the same when all comparisons of the session are taken together
 * @param verdict what may be said of this one
 */
public record Comparison(
    String metric,
    String unit,
    Better better,
    double[] a,
    double[] b,
    Interval ratio,
    double p,
    double q,
    Verdict verdict) {
  private static final double CONFIDENCE = 0.95;

  /** The share of false discoveries that is put up with. */
  private static final double DISCOVERIES = 0.05;

  /** The middle change as a fraction: 0.1 where B has a tenth more. */
  public double change() {
    return Math.expm1(ratio.estimate());
  }

  /**
   * Several at once: what is called different must stand out among all of them. Those without
   * ratios are left out.
   *
   * @param threshold the smallest change that matters: 0.02 is 2 %
   */
  public static List<Comparison> of(List<Sides> all, double threshold) {
    List<Sides> usable = all.stream().filter(Sides::hasRatios).toList();
    double[] p = usable.stream().mapToDouble(Comparison::chance).toArray();
    double[] q = BenjaminiHochberg.adjust(p);
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      comparisons.add(of(usable.get(i), p[i], q[i], Math.log1p(threshold)));
    }
    return comparisons;
  }

  private static double chance(Sides sides) {
    return AlignedRanks.test(sides.changes(), sides.noises());
  }

  private static Comparison of(Sides sides, double p, double q, double threshold) {
    Interval ratio = AlignedRanks.of(sides.changes(), sides.noises(), CONFIDENCE);
    Verdict verdict = Verdict.INCONCLUSIVE;
    if (ratio.low() >= -threshold && ratio.high() <= threshold) verdict = Verdict.NO_DIFFERENCE;
    else if (q <= DISCOVERIES && sides.better() != Better.NEITHER) {
      boolean more = ratio.low() > threshold;
      boolean less = ratio.high() < -threshold;
      if (more || less) {
        verdict = more == (sides.better() == Better.HIGHER) ? Verdict.FASTER : Verdict.SLOWER;
      }
    }
    return new Comparison(
        sides.name(), sides.unit(), sides.better(), sides.base(), sides.b(), ratio, p, q, verdict);
  }
}
