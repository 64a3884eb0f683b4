package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.HotPath;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run for programs: where it is, what was measured, and its hot paths.
 *
 * @param version raised when a reader of the one before would misunderstand
 * @param run the run's directory
 * @param name of the run
 * @param title what ran
 * @param sound whether its numbers can be trusted: {@code yes}, {@code doubtful} or {@code no};
 *     {@code findings} say why not
 * @param plan what the options came to: workers, sampling, types
 * @param conditions how it went: the warm-up, how texts ended, and of a run that was interrupted
 *     where
 * @param level what was recorded
 * @param wallNanos of the measured phase
 * @param threadNanos inside scopes, summed over threads: the sum of all self times
 * @param outputDigest of the results
 * @param wrong results that differ from their reference
 * @param metrics what was measured, most important first
 * @param hot the rows of every other format: the paths that ran longest, folded
 * @param findings what fired
 */
record Summary(
    int version,
    String run,
    String name,
    String title,
    String sound,
    Map<String, String> plan,
    Map<String, String> conditions,
    String level,
    long wallNanos,
    long threadNanos,
    String outputDigest,
    List<String> wrong,
    List<Measured> metrics,
    List<Hot> hot,
    List<Finding> findings) {

  /** A metric with its samples. */
  record Measured(String name, String unit, double median, List<Double> samples) {}

  /** A path; times are corrected, and what is not known is null. */
  record Hot(
      List<String> path,
      Long calls,
      Double totalNanos,
      Double selfNanos,
      Double waitingNanos,
      Double p99Nanos,
      Double allocatedBytes,
      Double gigabytesPerSecond,
      Double gigaflopsPerSecond,
      Double gigaopsPerSecond,
      Double reached,
      String limitedBy,
      Double toWinNanos) {
    static Hot of(HotPath path) {
      return new Hot(
          path.path(),
          path.value(Column.CALLS).longValue(),
          path.value(Column.TOTAL),
          path.value(Column.SELF),
          path.value(Column.WAITING),
          path.value(Column.P99),
          path.value(Column.ALLOCATED),
          path.value(Column.GIGABYTES),
          path.value(Column.GIGAFLOPS),
          path.value(Column.GIGAOPS),
          path.value(Column.REACHED),
          path.words(Column.LIMITED_BY),
          path.value(Column.TO_WIN));
    }
  }

  static Summary of(RunDirectory directory, Run run, Report report, Outcome outcome, int top) {
    return new Summary(
        2,
        directory.path().toString(),
        directory.name(),
        run.title(),
        sound(report, outcome),
        run.plan(),
        run.conditions(),
        report.profile().level().name(),
        report.profile().wallNanos(),
        report.profile().threadNanos(),
        run.outputDigest(),
        outcome.wrong(),
        run.metrics().stream()
            .map(m -> new Measured(m.name(), m.unit(), m.median(), m.samples()))
            .toList(),
        report.hot(top).stream().map(Hot::of).toList(),
        report.findings());
  }

  private static String sound(Report report, Outcome outcome) {
    Set<Severity> fired =
        report.findings().stream().map(Finding::severity).collect(Collectors.toSet());
    if (!outcome.wrong().isEmpty() || fired.contains(Severity.UNSOUND)) return "no";
    return fired.contains(Severity.DOUBTFUL) ? "doubtful" : "yes";
  }

  void print(PrintWriter out) {
    out.println(
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(this));
  }
}
