package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.answer.StrategiesAnswer;
import dev.ridgeline.lab.compare.ComparisonDocument;
import dev.ridgeline.lab.compare.RunComparison;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.format.Pprof;
import dev.ridgeline.report.format.TopFunctions;
import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The folder of profiles beside a comparison: for each side what {@code go tool pprof} opens, the
 * same as text, and the log; above them what they come to. Every number in it is from the trials of
 * this study; the profiles of a side are those of its trial in the middle.
 */
final class GoFolder {
  static final String NAME = "profiles";

  private static final int TOP = 30;
  private static final int ALL = 10_000;

  /** Levels of the call tree that are shown. */
  private static final int DEPTH = 5;

  private final Study study;
  private final Path record;
  private final int workers;
  private final int each;

  /**
   * @param each iterations of a trial
   */
  GoFolder(Study study, Path record, int workers, int each) {
    this.study = study;
    this.record = record;
    this.workers = workers;
    this.each = each;
  }

  /** The trial of an arm that its profiles are of. */
  record Side(Arm arm, Trial<Arm> trial, Run run, Profile profile) {
    String strategy() {
      return arm.parameters().get(StrategiesAnswer.STRATEGY);
    }
  }

  void write() {
    List<Side> sides = new ArrayList<>();
    Path folder = record.resolve(NAME);
    for (Arm arm : study.outcome().arms()) {
      Trial<Arm> middle = middle(arm);
      RunDirectory run = new RunDirectory(record.resolve(middle.directory()));
      Side side = new Side(arm, middle, run.run(), run.profile());
      sides.add(side);
      write(side, folder.resolve(arm.name()));
    }
    text(folder.resolve("README.md"), readme(sides));
    text(folder.resolve("PROFILE_ANALYSIS.md"), analysis(sides));
    text(folder.resolve("PROFILE_ANALYSIS_DETAILED.md"), details(sides));
  }

  private Trial<Arm> middle(Arm arm) {
    List<Trial<Arm>> trials =
        study.outcome().trials().stream()
            .filter(trial -> trial.counts() && trial.arm().equals(arm))
            .sorted(Comparator.comparingDouble(trial -> trial.value(GoComparison.METRIC)))
            .toList();
    return trials.get(trials.size() / 2);
  }

  private void write(Side side, Path folder) {
    Profile profile = side.profile();
    WholeFile.writeInFolder(
        folder.resolve("cpu.pprof"),
        out -> {
          if (TopFunctions.sampled(profile)) Pprof.samples(profile, out);
          else Pprof.cpu(profile, out);
        });
    WholeFile.write(folder.resolve("mem.pprof"), out -> Pprof.allocation(profile, out));
    text(folder.resolve("cpu_top30.txt"), TopFunctions.cpu(profile, TOP));
    text(folder.resolve("mem_top30.txt"), TopFunctions.allocated(profile, TOP));
    text(folder.resolve("mem_alloc_space.txt"), TopFunctions.allocated(profile, ALL));
    text(folder.resolve("mem_alloc_objects.txt"), TopFunctions.objects(profile, ALL));
    text(folder.resolve("run.log"), log(side));
  }

  private static void text(Path file, String text) {
    WholeFile.write(file, Drawing.text(text));
  }

  private String log(Side side) {
    List<String> lines = new ArrayList<>();
    Run run = side.run();
    lines.add(run.title());
    lines.add("Started: " + run.started());
    lines.add("Command: " + Again.line(run.command()));
    run.plan().forEach((name, value) -> lines.add("Plan: %s: %s".formatted(name, value)));
    run.conditions().forEach((name, value) -> lines.add("How: %s: %s".formatted(name, value)));
    for (Metric metric : run.metrics()) {
      if (!metric.name().equals(GoComparison.METRIC)) continue;
      for (int i = 0; i < metric.samples().size(); i++) {
        double rate = metric.samples().get(i);
        lines.add(
            "Iteration %d: %s s, %s texts/s"
                .formatted(
                    i + 1, Quantity.fixed(GoComparison.TEXTS / rate, 3), Quantity.fixed(rate, 2)));
      }
    }
    for (Metric metric : run.metrics()) {
      lines.add(
          "%s: %s %s".formatted(metric.name(), Quantity.number(metric.median()), metric.unit()));
    }
    lines.add("Output: " + run.outputDigest());
    Path own = record.resolve(side.trial().directory()).resolve("run.log");
    try {
      if (Files.exists(own)) lines.addAll(Files.readAllLines(own));
    } catch (IOException e) {
      throw Problem.of(e);
    }
    return String.join("\n", lines) + "\n";
  }

  private String command() {
    return Again.line(study.setting().command());
  }

  private String conditions(List<Side> sides) {
    Run run = sides.getFirst().run();
    return """
    - Model: %s
    - Texts: %d in one call, %s workers
    - Iterations: %d of each strategy, %d in each of %d fresh processes, in random order
    - Machine: %s
    - Revision: %s
    - Date: %s
    - Command: `%s`
    """
        .formatted(
            run.workload().getOrDefault("model", ""),
            GoComparison.TEXTS,
            workers,
            each * study.rounds(),
            each,
            study.rounds(),
            Machine.here().line(),
            run.revision(),
            study.setting().started(),
            command());
  }

  private String readme(List<Side> sides) {
    Outcome outcome = study.outcome();
    StringBuilder warnings = new StringBuilder();
    for (String warning : study.answer().warnings()) {
      warnings.append("\n> Beware: ").append(warning).append(".\n");
    }
    GoFindings findings = new GoFindings(study, record, workers);
    boolean sampled = TopFunctions.sampled(sides.getFirst().profile());
    try (InputStream template = GoFolder.class.getResourceAsStream("profiles.md")) {
      return new String(template.readAllBytes(), StandardCharsets.UTF_8)
          .formatted(
              GoComparison.TEXTS,
              GoComparison.winner(outcome),
              markdown(GoComparison.table(outcome)),
              warnings,
              findings.totals(sides),
              findings.advice(sides),
              conditions(sides),
              named(sides),
              sampled
                  ? "sampled code with file and line, inside its scopes"
                  : "scopes by their own time: nothing was sampled",
              command());
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  private String named(List<Side> sides) {
    List<String> names = new ArrayList<>();
    for (Side side : sides) names.add("`%s`".formatted(side.trial().directory()));
    return String.join(" and ", names);
  }

  static String markdown(Table table) {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", table.columns())).append(" |\n");
    text.append("|---").append("|--:".repeat(table.columns().size() - 1)).append("|\n");
    for (Table.Row row : table.rows()) {
      text.append("| ").append(String.join(" | ", row.cells())).append(" |\n");
    }
    return text.toString();
  }

  /** Every figure of both sides; only those with an interval are sure of anything. */
  private String analysis(List<Side> sides) {
    Outcome outcome = study.outcome();
    StringBuilder text = new StringBuilder();
    text.append("# Figures\n\n**").append(GoComparison.winner(outcome)).append(".**\n\n");
    text.append(conditions(sides)).append("\n## Of all trials\n\n");
    List<List<String>> rows = new ArrayList<>();
    for (var metric : outcome.metrics()) {
      List<String> row = new ArrayList<>();
      row.add(metric.name() + (metric.unit().isEmpty() ? "" : ", " + metric.unit()));
      for (Side side : sides) {
        row.add(StudyText.level(outcome.level(side.arm().name(), metric.name())));
      }
      row.add(
          StudyText.change(
              outcome.ratio(GoComparison.OPTIMIZED, GoComparison.CURRENT, metric.name())));
      rows.add(row);
    }
    text.append(markdown(new Table("", List.of("metric", "current", "optimized", "change"), rows)));
    text.append(
        "\n## What workers do when they do not work\n\nOf the trial in the middle, a text:\n\n");
    text.append(markdown(pools(sides)));
    text.append(
        """

        A region is work handed to the workers, cut into tasks; nothing is started for one: the
        threads are there all the time. Dispatch is the caller's time until all are told, wait its
        time for the last of them; spin and park are the workers' time without work, awake and
        asleep.

        ## What ran

        """);
    List<List<String>> plans = new ArrayList<>();
    for (String key : sides.getFirst().run().plan().keySet()) {
      List<String> row = new ArrayList<>(List.of(key));
      for (Side side : sides) {
        row.add(Markdown.escape(side.run().plan().getOrDefault(key, "–")));
      }
      plans.add(row);
    }
    text.append(markdown(new Table("", List.of("plan", "current", "optimized"), plans)));
    return text.toString();
  }

  private static Table pools(List<Side> sides) {
    List<List<String>> rows = new ArrayList<>();
    for (Side side : sides) {
      for (Profile.Pool pool : side.profile().pools()) {
        double texts = Math.max(1, side.run().units());
        rows.add(
            List.of(
                side.arm().name(),
                Quantity.count(pool.threads()),
                Quantity.number(pool.regions() / texts),
                Quantity.number(pool.tasks() / texts),
                Quantity.time(pool.dispatchNanos() / texts),
                Quantity.time(pool.waitNanos() / texts),
                Quantity.time(pool.spinNanos() / texts),
                Quantity.time(pool.parkNanos() / texts)));
      }
    }
    return new Table(
        "",
        List.of("arm", "threads", "regions", "tasks", "dispatch", "wait", "spin", "park"),
        rows);
  }

  private String details(List<Side> sides) {
    StringBuilder text = new StringBuilder("# Where the time goes\n\n");
    text.append(conditions(sides));
    text.append(
        """

        What follows is of one trial of each, so that times in it prove nothing by themselves: what is
        faster is told by all trials together, in README.md.

        ## Scopes that differ

        """);
    Side base = sides.getFirst();
    Side other = sides.getLast();
    RunComparison comparison =
        RunComparison.of(
            new RunComparison.Side(base.arm().name(), base.run(), base.profile()),
            new RunComparison.Side(other.arm().name(), other.run(), other.profile()),
            Double.NaN);
    List<String> lines = MarkdownText.lines(ComparisonDocument.of(comparison, TOP));
    text.append(deeper(String.join("\n", lines) + "\n"));
    for (Side side : sides) {
      text.append("\n## %s (%s)\n\n".formatted(side.arm().name(), side.strategy()));
      text.append(deeper(Markdown.draw(RunReport.of(side.run(), side.profile()), TOP, DEPTH)));
    }
    return text.toString();
  }

  /** Headings two levels further down. */
  private static String deeper(String markdown) {
    return markdown.replaceAll("(?m)^(#{1,4}) ", "##$1 ");
  }
}
