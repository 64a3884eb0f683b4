package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.tensor.tune.Tiling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What all iterations of a {@link GoFolder} took together, and what to do with it. */
final class GoFindings {
  private static final String ALLOCATED = "allocated per text";

  /** Texts at a time that advice is given for. */
  private static final int MOST_TEXTS = 64;

  private static final int OPPORTUNITIES = 3;

  private final Study study;
  private final Path record;
  private final int workers;

  GoFindings(Study study, Path record, int workers) {
    this.study = study;
    this.record = record;
    this.workers = workers;
  }

  /** Seconds and bytes of all counted trials of an arm. */
  private record Total(int iterations, double seconds, double bytes) {
    static final Total NONE = new Total(0, 0, 0);

    Total and(Run run) {
      Total sum = this;
      double each = Double.NaN;
      for (Metric metric : run.metrics()) {
        if (metric.name().equals(ALLOCATED)) each = metric.median();
        if (!metric.name().equals(GoComparison.METRIC)) continue;
        for (double rate : metric.samples()) {
          double took = sum.seconds + GoComparison.TEXTS / rate;
          sum = new Total(sum.iterations + 1, took, sum.bytes);
        }
      }
      long texts = (long) (sum.iterations - iterations) * GoComparison.TEXTS;
      return new Total(sum.iterations, sum.seconds, sum.bytes + each * texts);
    }
  }

  private Total total(String arm) {
    Total total = Total.NONE;
    for (Trial<Arm> trial : study.outcome().trials()) {
      if (!trial.counts() || !trial.arm().name().equals(arm)) continue;
      total = total.and(new RunDirectory(record.resolve(trial.directory())).run());
    }
    return total;
  }

  /** Wall clock, bytes and buffers of each side. */
  String totals(List<GoFolder.Side> sides) {
    List<List<String>> rows = new ArrayList<>();
    for (GoFolder.Side side : sides) {
      Total total = total(side.arm().name());
      long texts = (long) total.iterations * GoComparison.TEXTS;
      rows.add(
          List.of(
              side.arm().name(),
              Quantity.count(total.iterations),
              Quantity.count(texts),
              Quantity.fixed(total.seconds, 2),
              Double.isNaN(total.bytes) ? "–" : Quantity.fixed(total.bytes / 1e6, 3)));
    }
    Table table =
        new Table(
            "",
            List.of("arm", "iterations", "texts", "wall clock, s", "allocated on the heap, MB"),
            rows);
    return GoFolder.markdown(table) + "\n" + buffers(sides);
  }

  /** What is planned once and used by every iteration. */
  private static String buffers(List<GoFolder.Side> sides) {
    Set<String> owners = new LinkedHashSet<>();
    for (GoFolder.Side side : sides) {
      side.profile().ledger().forEach(entry -> owners.add(entry.owner()));
    }
    List<List<String>> rows = new ArrayList<>();
    for (String owner : owners) {
      List<String> row = new ArrayList<>(List.of(owner));
      for (GoFolder.Side side : sides) row.add(held(side.profile(), owner));
      rows.add(row);
    }
    List<String> columns = new ArrayList<>(List.of("buffers off the heap"));
    for (GoFolder.Side side : sides) columns.add(side.arm().name());
    return """
    Buffers are planned when a model is opened, and each iteration uses those of the one before:

    %s\
    """
        .formatted(GoFolder.markdown(new Table("", columns, rows)));
  }

  private static String held(Profile profile, String owner) {
    return profile.ledger().stream()
        .filter(entry -> entry.owner().equals(owner))
        .findFirst()
        .map(entry -> Quantity.bytes(entry.highWaterBytes()))
        .orElse("–");
  }

  /** What to choose for how many texts, and where time is left. */
  String advice(List<GoFolder.Side> sides) {
    List<List<String>> rows = new ArrayList<>();
    int from = 1;
    for (int texts = 2; texts <= MOST_TEXTS + 1; texts++) {
      Strategy chosen = chosen(from);
      if (texts <= MOST_TEXTS && chosen(texts) == chosen) continue;
      int last = texts - 1;
      String range =
          last == MOST_TEXTS ? from + " and more" : from == last ? "" + from : from + "–" + last;
      rows.add(List.of(range, "`--strategy %s`".formatted(chosen.word())));
      from = texts;
    }
    return """
    Measured are %d texts at a time: **%s**. For other numbers, this is what `--strategy auto` chooses
    with %s here; `ridgeline experiment strategies --workers %d` measures it.

    %s
    %s%s\
    """
        .formatted(
            GoComparison.TEXTS,
            GoComparison.winner(study.outcome()),
            Quantity.many(workers, "worker"),
            workers,
            GoFolder.markdown(new Table("", List.of("texts at a time", "use"), rows)),
            contradiction(),
            opportunities(sides));
  }

  private Strategy chosen(int texts) {
    return Strategy.AUTO.chosen(texts, workers, Tiling.here());
  }

  /** Where what was measured is surely not what would be chosen. */
  private String contradiction() {
    Interval gain = GoComparison.gain(study.outcome());
    Strategy faster =
        gain.low() > 0 ? Strategy.COARSE : gain.high() < 0 ? Strategy.FINE : Strategy.AUTO;
    Strategy chosen = chosen(GoComparison.TEXTS);
    boolean agrees = faster == Strategy.AUTO || faster == chosen || chosen == Strategy.PACKED;
    return agrees
        ? ""
        : "`auto` would take the slower one for %d texts here: `ridgeline tune` may mend that.\n\n"
            .formatted(GoComparison.TEXTS);
  }

  private String opportunities(List<GoFolder.Side> sides) {
    boolean fine = GoComparison.gain(study.outcome()).estimate() < 0;
    GoFolder.Side best = fine ? sides.getFirst() : sides.getLast();
    List<Finding> found =
        RunReport.of(best.run(), best.profile()).findings().stream()
            .filter(f -> f.severity() == Severity.OPPORTUNITY || f.severity() == Severity.CODE)
            .limit(OPPORTUNITIES)
            .toList();
    if (found.isEmpty()) return "";
    StringBuilder text =
        new StringBuilder("What is left to win in `" + best.arm().name() + "`:\n\n");
    for (Finding finding : found) {
      text.append("- ").append(finding.what()).append("; ").append(finding.advice());
      if (!finding.win().isEmpty()) text.append(". Wins ").append(finding.win());
      text.append('\n');
    }
    return text.toString();
  }
}
