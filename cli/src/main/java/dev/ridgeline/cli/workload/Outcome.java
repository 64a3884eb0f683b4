package dev.ridgeline.cli.workload;

import dev.ridgeline.report.Series;
import dev.ridgeline.report.run.Metric;
import java.util.List;
import java.util.Map;

/**
 * What a workload says about its measured phase.
 *
 * @param configuration what was asked for: sizes, seed
 * @param plan what the options came to: the same for the same options, whenever it runs
 * @param conditions how it went, which no option decides: warm-up, interruption
 * @param metrics what was measured, most important first
 * @param digest of the output: the same for the same input, however often it was computed
 * @param wrong results that differ from their reference, one line each; empty when all is well
 * @param series how something changes along an axis
 * @param units how much work was measured, in the workload's own unit
 */
public record Outcome(
    Map<String, String> configuration,
    Map<String, String> plan,
    Map<String, String> conditions,
    List<Metric> metrics,
    String digest,
    List<String> wrong,
    List<Series> series,
    double units) {
  /** What {@link #configuration} calls the file of a model. */
  public static final String FILE = "file";
}
