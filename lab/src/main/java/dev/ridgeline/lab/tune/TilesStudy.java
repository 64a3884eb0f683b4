package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.tensor.tune.Tunable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What a {@link Tuner} measured, as a study: every value that was tried with its ratio, and each
 * block's own numbers in the record.
 */
public final class TilesStudy {
  /** Name of what is compared. */
  public static final String RATIO = "time against the default";

  /** Nobody waits longer than a day. */
  private static final double LONGEST = 86_400;

  private final Function<Block, Block.Result> blocks;
  private final Path record;
  private final LongSupplier nanos;
  private final long begin;
  private final List<Trial<Arm>> trials = new ArrayList<>();
  private final Map<Tunable, Integer> counts = new LinkedHashMap<>();
  private int processes;
  private int fewestRounds = Integer.MAX_VALUE;

  /**
   * @param blocks measures a block, in a process of its own
   * @param record the folder that results are kept in
   */
  public TilesStudy(Function<Block, Block.Result> blocks, Path record, LongSupplier nanos) {
    this.blocks = blocks;
    this.record = record;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
  }

  /** Measures a block, and keeps what it says. */
  public Block.Result measure(Block block) {
    long from = nanos.getAsLong();
    MachineLoad before = MachineLoad.now();
    Block.Result result = blocks.apply(block);
    Disturbance disturbance = MachineLoad.now().since(before);
    double seconds = (nanos.getAsLong() - from) / 1e9;
    int round = counts.merge(block.tunable(), 1, Integer::sum);
    String file = "arms/%s/%03d.txt".formatted(block.tunable().word(), ++processes);
    byte[] said = result.text().getBytes(StandardCharsets.UTF_8);
    WholeFile.writeInFolder(record.resolve(file), out -> out.write(said));
    int place = 0;
    for (var each : result.ratios().entrySet()) {
      // The same middle that the table has.
      double[] logs = each.getValue().stream().mapToDouble(Math::log).toArray();
      double middle = Math.exp(HodgesLehmann.of(logs, Outcome.CONFIDENCE).estimate());
      fewestRounds = Math.min(fewestRounds, each.getValue().size());
      Reading reading = Reading.of(new Reading.Value(RATIO, "", Better.LOWER, middle));
      Arm arm = arm(block.tunable(), each.getKey());
      var measured = new Measured(reading, file);
      trials.add(new Trial<>(arm, round, ++place, 1, true, seconds, disturbance, measured, ""));
    }
    return result;
  }

  private static Arm arm(Tunable tunable, int value) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("tunable", tunable.word());
    parameters.put("value", Integer.toString(value));
    return new Arm(tunable.word() + "-" + value, parameters);
  }

  /**
   * The study of what was decided.
   *
   * @param of what was measured, in a few words
   * @param kept where choices are kept from now on; empty where nothing is
   */
  public Study of(
      String of,
      Instant started,
      List<String> command,
      List<Decision> decisions,
      String kept,
      double budgetSeconds,
      long seed) {
    List<Arm> arms = new ArrayList<>();
    for (Decision each : decisions) {
      arms.add(arm(each.tunable(), each.before()));
      for (int value : each.tried().keySet()) arms.add(arm(each.tunable(), value));
    }
    double took = (nanos.getAsLong() - begin) / 1e9;
    return new Study(
        new Study.Setting(
            "tiles",
            "sizes of tiles and blocks for " + of,
            started,
            command,
            RATIO,
            Decision.WORTH,
            budgetSeconds,
            seed),
        took,
        fewestRounds == Integer.MAX_VALUE ? 0 : fewestRounds,
        0,
        false,
        new Outcome(arms, arms.getFirst().name(), trials, Map.of()),
        null,
        answer(of, decisions, kept, took, budgetSeconds));
  }

  private Answer answer(
      String of, List<Decision> decisions, String kept, double took, double budget) {
    List<Fact> facts = new ArrayList<>();
    for (Decision each : decisions) {
      facts.add(new Fact(each.tunable().word(), each.why()));
    }
    List<Decision> winners = decisions.stream().filter(Decision::kept).toList();
    facts.add(
        new Fact("Kept", kept.isEmpty() ? "nothing: --keep would keep " + words(winners) : kept));
    facts.add(
        new Fact(
            StudyText.RESTS,
            "%s, a fresh process each; in it all values take turns in random order, %s at least; %s"
                .formatted(
                    Quantity.many(processes, "block"),
                    Quantity.many(fewestRounds, "round"),
                    Quantity.left(took))));
    List<Table> tables = decisions.stream().map(TilesStudy::table).toList();
    List<Chart> charts = decisions.stream().map(TilesStudy::chart).toList();
    return new Answer(
        headline(of, decisions, winners), facts, warnings(decisions, budget), tables, charts);
  }

  /** What kept it from deciding, and what might help. */
  private List<String> warnings(List<Decision> decisions, double budget) {
    List<String> warnings = new ArrayList<>();
    double others =
        trials.stream().mapToDouble(each -> each.disturbance().others()).max().orElse(0);
    if (others > Disturbance.MOST_OTHERS) {
      warnings.add(
          "others had up to %s of the processors meanwhile".formatted(Quantity.percent(others)));
    }
    double times = 0;
    for (Decision each : decisions) {
      for (int value : each.open()) {
        Interval log = each.interval(value);
        double half = (log.high() - log.low()) / 2;
        // Half as wide takes four times as long; where nothing is known, four times is a try.
        double wanted = log.bounded() ? Math.pow(half / Math.log1p(Decision.WORTH), 2) : 4;
        times = Math.max(times, Math.max(2, wanted));
      }
    }
    if (times * budget > LONGEST) {
      warnings.add("not decided, and not in a day either: try it when the machine is quieter");
    } else if (times > 0) {
      warnings.add(
          "not decided: --budget %s might do".formatted(ExperimentText.budget(times * budget)));
    }
    return warnings;
  }

  private static String words(List<Decision> winners) {
    if (winners.isEmpty()) return "nothing, either";
    return String.join(", ", winners.stream().map(TilesStudy::words).toList());
  }

  static String headline(String of, List<Decision> decisions, List<Decision> winners) {
    if (winners.isEmpty()) {
      boolean few = decisions.stream().anyMatch(each -> !each.first().bounded());
      if (few) return "%s: too few rounds to tell whether another size is faster".formatted(of);
      List<String> open =
          decisions.stream()
              .filter(each -> !each.open().isEmpty())
              .map(each -> each.tunable().word() + " " + Decision.listed(each.open()))
              .toList();
      return open.isEmpty()
          ? "%s: no other size is faster than the default by 2 %%: ruled out".formatted(of)
          : "%s: not decided whether another size is faster by 2 %%: %s"
              .formatted(of, String.join("; ", open));
    }
    List<String> faster =
        winners.stream()
            .map(
                each ->
                    words(each)
                        + ": time %s against %d"
                            .formatted(StudyText.change(each.again()), each.before()))
            .toList();
    return "%s: faster for sure, twice: %s".formatted(of, String.join(", ", faster));
  }

  private static String words(Decision winner) {
    return winner.tunable().word() + "=" + winner.best();
  }

  private static Table table(Decision decision) {
    List<List<String>> rows = new ArrayList<>();
    for (int value : values(decision)) {
      boolean base = value == decision.before();
      boolean best = value == decision.best() && decision.again() != null;
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(value));
      row.add(base ? "the default" : StudyText.change(decision.interval(value)));
      if (decision.again() != null) row.add(best ? StudyText.change(decision.again()) : "");
      row.add(base ? "" : worth(decision, value));
      rows.add(row);
    }
    List<String> columns = new ArrayList<>(List.of("value", "time"));
    if (decision.again() != null) columns.add("again, in another process");
    columns.add("2 % faster");
    String title = "%s: %s".formatted(decision.tunable().word(), decision.tunable().description());
    return new Table(title, columns, rows);
  }

  private static String worth(Decision decision, int value) {
    if (value == decision.best() && decision.kept()) return "faster for sure";
    return decision.ruledOut(value) ? "ruled out" : "not decided";
  }

  private static List<Integer> values(Decision decision) {
    List<Integer> values = new ArrayList<>(decision.tried().keySet());
    values.add(decision.before());
    values.sort(null);
    return values;
  }

  private static Chart chart(Decision decision) {
    return Chart.ofNames(
        decision.tunable().word() + ": " + RATIO,
        "ratio",
        Chart.Series.ofNames(
            "time",
            values(decision),
            String::valueOf,
            value ->
                value == decision.before()
                    ? Interval.exactly(1)
                    : decision.interval(value).map(Math::exp)));
  }
}
