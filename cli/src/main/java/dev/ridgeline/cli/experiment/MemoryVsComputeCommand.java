package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.lab.bound.Bound;
import dev.ridgeline.lab.bound.Bound.Found;
import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.Part;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment memory-vs-compute}: what an operation waits for. */
@Command(
    name = "memory-vs-compute",
    description =
        "Whether an operation waits for memory or for arithmetic: reading its bytes alone, its"
            + " arithmetic alone on data in the nearest cache, and all of it, in turns.",
    sortOptions = false,
    footer = {
      "",
      "Reading alone takes about as long as all of it: memory-bound. Arithmetic alone does:",
      "compute-bound. Both added up do: they do not overlap. About is --margin, for the whole",
      "interval of the ratio; what lies across it is not decided. It ends before --budget where",
      "ratios are known to within a quarter of the margin, or half of --threshold if given.",
      "",
      "Examples:",
      "  ridgeline experiment memory-vs-compute                     a token's product, from memory",
      "  ridgeline experiment memory-vs-compute matmul --shape 512x512x512 --type f32",
      "  ridgeline experiment memory-vs-compute matmul --shape 8x2048x5632 --type q4_k --from"
          + " memory",
      "  ridgeline experiment memory-vs-compute gelu --shape 4096x4096",
    })
final class MemoryVsComputeCommand implements Callable<Integer> {
  private static final Setting<String> MARGIN =
      Setting.text("--margin PERCENT", "25%", "Times that differ by less are about the same.");
  private static final Setting<String> BUDGET = Laboratory.budget("3m");

  /** Enough for many stretches; what differs is one process from the next, so many are better. */
  private static final String TRIAL_SECONDS = "0.3";

  @Mixin
  private final Settings settings =
      new Settings(
          Laboratory.settings(BUDGET, Op.SHAPE, Op.TYPE, Op.FROM, ModelOptions.WORKERS, MARGIN));

  @Parameters(
      arity = "0..1",
      paramLabel = "OP",
      description = "matmul (the default), add, gelu, swiglu, layernorm or rmsnorm.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Operation operation = Op.operation(settings, words);
    int workers = ModelOptions.workers(settings);
    boolean beyond = Op.beyond(settings, operation, workers);
    double margin = Amounts.fraction(MARGIN.name(), settings.read(MARGIN));
    List<Attempt> attempts = new ArrayList<>();
    for (Part part : Part.values()) {
      attempts.add(
          new Attempt(
              new Arm(part.word(), Map.of("part", part.word())),
              Start.Workload.of(
                  "op",
                  operation.kind().word(),
                  "--shape",
                  operation.shape(),
                  "--type",
                  operation.type().word(),
                  "--from",
                  beyond ? "memory" : "caches",
                  "--part",
                  part.name().toLowerCase(Locale.ROOT),
                  "--workers",
                  "" + workers,
                  "--for",
                  TRIAL_SECONDS)));
    }
    String title =
        "%s, data from %s, by %s"
            .formatted(operation, beyond ? "memory" : "caches", Quantity.many(workers, "worker"));
    Plan plan =
        new Plan("memory-vs-compute", title, attempts, Part.FULL.word(), Op.TIME, Aim.PARTS);
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, sweep -> conclude(sweep, operation, beyond, margin), Double.NaN, margin / 2);
  }

  private static Answer conclude(Sweep sweep, Operation operation, boolean beyond, double margin) {
    Outcome outcome = sweep.outcome();
    Bound bound = bound(outcome, margin);
    List<String> warnings = new ArrayList<>();
    if (bound.contradicts()) {
      warnings.add(
          "a part alone took longer than all of it: something else had the machine, or the part"
              + " is measured badly here");
    } else if (bound.found() == Found.UNDECIDED && bound.sum().bounded()) {
      warnings.add(
          "an interval lies across the margin of %s: %s makes it narrower"
              .formatted(
                  Quantity.percent(margin),
                  sweep.left() > sweep.roundSeconds() ? "a smaller --threshold" : "more --budget"));
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Rule",
            "about as long as all of it is a part whose whole interval is above %sx"
                .formatted(Quantity.number(1 / (1 + margin)))));
    facts.add(
        new Fact(
            "Both",
            "reading and arithmetic added up: %s of all".formatted(StudyText.times(bound.sum()))));
    String copies = outcome.plans().getOrDefault(Part.FULL.word(), Map.of()).get("copies");
    if (beyond && copies != null && !copies.equals("1")) {
      facts.add(new Fact("Copies", copies + " take turns, so that no cache holds the next one"));
    }
    return new Answer(
        headline(operation, bound),
        facts,
        warnings,
        List.of(table(outcome, bound)),
        List.of(chart(outcome, operation)));
  }

  /** Times of the rounds that have all parts. */
  private static Bound bound(Outcome outcome, double margin) {
    List<Map<Integer, Double>> times = new ArrayList<>();
    Set<Integer> rounds = null;
    for (Part part : Part.values()) {
      times.add(outcome.byRound(part.word(), Op.TIME));
      if (rounds == null) rounds = new TreeSet<>(times.getLast().keySet());
      else rounds.retainAll(times.getLast().keySet());
    }
    double[][] all = new double[times.size()][];
    for (int i = 0; i < all.length; i++) {
      all[i] = rounds.stream().mapToDouble(times.get(i)::get).toArray();
    }
    return Bound.of(
        all[Part.READ.ordinal()], all[Part.COMPUTE.ordinal()], all[Part.FULL.ordinal()], margin);
  }

  private static String headline(Operation operation, Bound bound) {
    String evidence =
        "reading alone takes %s of its time, arithmetic alone %s"
            .formatted(StudyText.times(bound.read()), StudyText.times(bound.compute()));
    return bound.found() == Found.UNDECIDED
        ? "%s: not decided whether memory or arithmetic; %s".formatted(operation, evidence)
        : "%s is %s: %s".formatted(operation, bound.found().words(), evidence);
  }

  private static Table table(Outcome outcome, Bound bound) {
    List<List<String>> rows = new ArrayList<>();
    for (Part part : Part.values()) {
      Interval ratio =
          switch (part) {
            case READ -> bound.read();
            case COMPUTE -> bound.compute();
            case FULL -> new Interval(0, 0, 0, 1);
          };
      rows.add(
          List.of(
              part.word(),
              StudyText.level(outcome.level(part.word(), Op.TIME)),
              StudyText.times(ratio),
              rate(outcome, part, "moved"),
              rate(outcome, part, "computed")));
    }
    return new Table("", List.of("part", "time, µs", "of all", "GB/s", "GFLOP/s"), rows);
  }

  private static String rate(Outcome outcome, Part part, String metric) {
    double median = outcome.median(part.word(), metric);
    return Double.isNaN(median) ? "–" : Quantity.number(median);
  }

  /** Reading and arithmetic added up, round by round. */
  private static Interval both(Outcome outcome) {
    Map<Integer, Double> reads = outcome.byRound(Part.READ.word(), Op.TIME);
    Map<Integer, Double> computes = outcome.byRound(Part.COMPUTE.word(), Op.TIME);
    double[] sums =
        reads.keySet().stream()
            .filter(computes::containsKey)
            .mapToDouble(round -> reads.get(round) + computes.get(round))
            .toArray();
    return HodgesLehmann.of(sums, Outcome.CONFIDENCE);
  }

  static Chart chart(Outcome outcome, Operation operation) {
    List<Chart.Point> points = new ArrayList<>();
    for (Part part : Part.values()) {
      Interval level = outcome.level(part.word(), Op.TIME);
      points.add(
          new Chart.Point(
              part.ordinal(), level.estimate(), level.low(), level.high(), part.word()));
    }
    Interval both = both(outcome);
    points.add(
        new Chart.Point(points.size(), both.estimate(), both.low(), both.high(), "both added up"));
    return Chart.ofNames(
        operation + ", time of one", "µs", new Chart.Series("time", Chart.Drawn.DOTS, points));
  }
}
