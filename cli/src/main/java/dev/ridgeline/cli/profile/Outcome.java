package dev.ridgeline.cli.profile;

import dev.ridgeline.report.Series;
import dev.ridgeline.report.run.Metric;
import java.util.List;
import java.util.Map;

/**
 * What a workload says about its measured phase.
 *
 * @param configuration what was asked for: sizes, seed
 * @param plan what it came to: what really ran, and how often
 * @param metrics what was measured, most important first
 * @param digest of the output: the same for the same input, however often it was computed
 * @param wrong results that differ from their reference, one line each; empty when all is well
 * @param series how something changes along an axis
 */
public record Outcome(
    Map<String, String> configuration,
    Map<String, String> plan,
    List<Metric> metrics,
    String digest,
    List<String> wrong,
    List<Series> series) {

  /** One without series. */
  public Outcome(
      Map<String, String> configuration,
      Map<String, String> plan,
      List<Metric> metrics,
      String digest,
      List<String> wrong) {
    this(configuration, plan, metrics, digest, wrong, List.of());
  }
}
