package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.memory.Growth;
import dev.ridgeline.lab.memory.MemorySeries;
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
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment allocation}: what a unit of work allocates, and whether anything stays. */
@Command(
    name = "allocation",
    description = "What a text allocates by scope, and whether memory grows: leak or steady state.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment allocation",
      "  ridgeline experiment allocation --budget 3m -- embed --texts 64 --iterations 40",
    })
final class AllocationCommand implements Callable<Integer> {
  private static final String ARM = "as-it-is";
  private static final String PER_UNIT = "allocated per text";

  /** Bytes of a text that matter: less is what the measuring itself keeps. */
  private static final double LEAST = 4;

  /** Bytes of a text that a scope allocates now and then, as code is compiled. */
  private static final double NEGLIGIBLE = 0.5;

  private static final Setting<String> BUDGET = Laboratory.budget("2m");

  @Mixin private final Settings settings = new Settings(Laboratory.settings(BUDGET));

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Behind --: embed, with its options.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (!words.isEmpty() && !words.getFirst().equals("embed")) {
      throw new Problem("'%s': embed tells its memory".formatted(words.getFirst()));
    }
    List<String> workload =
        new ArrayList<>(words.size() > 1 ? words : List.of("embed", "--texts", "32"));
    if (!workload.contains("--iterations")) workload.addAll(List.of("--iterations", "24"));
    workload.add("--memory");
    Plan plan =
        new Plan(
            "allocation",
            "what %s allocates and keeps".formatted(String.join(" ", workload)),
            List.of(new Attempt(new Arm(ARM, Map.of()), new Start.Workload(workload, List.of()))),
            ARM,
            PER_UNIT,
            Aim.EACH);
    return new Laboratory(settings, spec, BUDGET).run(plan, AllocationCommand::conclude);
  }

  static Answer conclude(Sweep sweep) {
    Outcome outcome = sweep.outcome();
    Interval each = interval(outcome, PER_UNIT);
    Interval heap = interval(outcome, MemorySeries.GROWTH);
    Interval outside = interval(outcome, MemorySeries.OWNED_GROWTH);
    List<Reading.Value> scopes =
        outcome.metrics().stream()
            .filter(metric -> metric.name().startsWith(MemorySeries.ALLOCATED))
            .filter(metric -> median(outcome, metric.name()) >= NEGLIGIBLE)
            .sorted(Comparator.comparingDouble(metric -> -median(outcome, metric.name())))
            .toList();
    double planned = median(outcome, "planned outside the heap");
    double owned = median(outcome, MemorySeries.OWNED);
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Heap",
            "live after a collection: %s; %s"
                .formatted(
                    Quantity.bytes((long) median(outcome, MemorySeries.LIVE)), growth(heap))));
    facts.add(
        new Fact(
            "Pool",
            "%s outside the heap, planned were %s; %s"
                .formatted(
                    Quantity.bytes((long) owned),
                    Quantity.bytes((long) planned),
                    growth(outside))));
    List<String> warnings = new ArrayList<>();
    if (owned > 1.01 * planned) {
      warnings.add(
          "%s more is held outside the heap than was planned for these texts: a defect"
              .formatted(Quantity.bytes((long) (owned - planned))));
    }
    return new Answer(
        headline(each, heap, outside, scopes, outcome),
        facts,
        warnings,
        List.of(table(outcome, scopes)),
        List.of(held(outcome), perText(outcome, scopes)));
  }

  private static Interval interval(Outcome outcome, String metric) {
    return HodgesLehmann.of(outcome.values(ARM, metric), Outcome.CONFIDENCE);
  }

  private static double median(Outcome outcome, String metric) {
    return outcome.median(ARM, metric);
  }

  private static String growth(Interval slope) {
    return switch (Growth.of(slope, LEAST)) {
      case GROWS -> "grows by %s B a text".formatted(StudyText.level(slope));
      case STEADY ->
          "steady: by %s B a text at most".formatted(Quantity.number(Math.max(0, slope.high())));
      case UNSURE ->
          "%s (?) B a text stay: too few trials to say whether it grows"
              .formatted(Quantity.number(slope.estimate()));
    };
  }

  private static String headline(
      Interval each, Interval heap, Interval outside, List<Reading.Value> scopes, Outcome outcome) {
    Growth onHeap = Growth.of(heap, LEAST);
    Growth beside = Growth.of(outside, LEAST);
    String where =
        scopes.isEmpty() || median(outcome, scopes.getFirst().name()) < LEAST
            ? "in code outside of scopes"
            : "in " + scopes.getFirst().name().substring(MemorySeries.ALLOCATED.length());
    if (onHeap == Growth.GROWS) {
      return "grows by %s B a text: leak, most likely %s".formatted(StudyText.level(heap), where);
    }
    if (beside == Growth.GROWS) {
      return "grows by %s B a text outside the heap: leak".formatted(StudyText.level(outside));
    }
    String allocates = "%s B allocated a text".formatted(StudyText.level(each));
    return onHeap == Growth.UNSURE || beside == Growth.UNSURE
        ? "%s; %s (?) B stay on the heap, too few trials to say whether memory grows"
            .formatted(allocates, Quantity.number(heap.estimate()))
        : "steady: " + allocates;
  }

  private static Table table(Outcome outcome, List<Reading.Value> scopes) {
    List<List<String>> rows = new ArrayList<>();
    for (Reading.Value scope : scopes) {
      rows.add(
          List.of(
              scope.name().substring(MemorySeries.ALLOCATED.length()),
              StudyText.level(interval(outcome, scope.name()))));
    }
    if (rows.isEmpty()) rows.add(List.of("no scope", "less than 1"));
    return new Table("", List.of("scope", "allocated by itself, B/text"), rows);
  }

  /** Every figure in bytes a text: what stays, and the scopes that allocate most. */
  private static Chart perText(Outcome outcome, List<Reading.Value> scopes) {
    List<Chart.Point> points = new ArrayList<>();
    points.add(named(points, outcome, MemorySeries.GROWTH, "stays on the heap"));
    points.add(named(points, outcome, MemorySeries.OWNED_GROWTH, "stays outside"));
    for (Reading.Value scope : scopes.subList(0, Math.min(3, scopes.size()))) {
      String name = scope.name().substring(MemorySeries.ALLOCATED.length());
      points.add(named(points, outcome, scope.name(), name));
    }
    return Chart.ofNames(
            "Bytes a text: what stays, and what is allocated where",
            "B/text",
            new Chart.Series("bytes a text", Chart.Drawn.DOTS, points))
        .withLevel(0, "");
  }

  private static Chart.Point named(
      List<Chart.Point> before, Outcome outcome, String metric, String name) {
    Interval level = interval(outcome, metric);
    return new Chart.Point(before.size(), level.estimate(), level.low(), level.high(), name);
  }

  /** What is held along the work: a leak climbs, and what is steady does not. */
  private static Chart held(Outcome outcome) {
    return new Chart(
            "Held after so many texts, more than when all had settled",
            "texts",
            "kB",
            Chart.Scale.FROM_ZERO,
            Chart.Scale.LINEAR,
            List.of(
                held(outcome, MemorySeries.LIVE, "on the heap"),
                held(outcome, MemorySeries.OWNED, "outside the heap")),
            List.of())
        .withLevel(0, "");
  }

  private static Chart.Series held(Outcome outcome, String held, String name) {
    List<Chart.Point> points = new ArrayList<>();
    String beginning = MemorySeries.more(held, 0).replaceFirst("0$", "");
    for (Reading.Value metric : outcome.metrics()) {
      if (!metric.name().startsWith(beginning)) continue;
      String texts = metric.name().substring(beginning.length()).replace(",", "");
      Interval level = interval(outcome, metric.name());
      points.add(Chart.Point.of(Double.parseDouble(texts), level, bytes -> bytes / 1e3));
    }
    return new Chart.Series(name, Chart.Drawn.LINE, points);
  }
}
