package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Crossover;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What strategies measured by sizes of calls comes to. */
public final class StrategiesAnswer {
  /** Parameters of an arm. */
  public static final String STRATEGY = "strategy";

  public static final String WORKERS = "workers";

  /** Texts a second, as a figure of a call's size. */
  public static final String SPEED = "embedded";

  /** What workers do besides working, as metrics and columns name it. */
  private static final List<String> OVERHEAD =
      List.of("regions", "tasks", "dispatch", "wait", "spin", "park");

  private final Outcome outcome;
  private final List<Integer> sizes;
  private final BiFunction<Integer, String, String> figures;

  /** Arms with as many workers each, by that number. */
  private final Map<String, List<Arm>> teams = new LinkedHashMap<>();

  /**
   * @param sizes of calls
   * @param figures what a figure of calls of a size is called as a metric
   */
  public StrategiesAnswer(
      Outcome outcome, List<Integer> sizes, BiFunction<Integer, String, String> figures) {
    this.outcome = outcome;
    this.sizes = sizes;
    this.figures = figures;
    for (Arm arm : outcome.arms()) {
      String workers = arm.parameters().get(WORKERS);
      teams.computeIfAbsent(workers, _ -> new ArrayList<>()).add(arm);
    }
  }

  public Answer answer() {
    List<Fact> facts = new ArrayList<>();
    List<String> headlines = new ArrayList<>();
    List<Table> tables = new ArrayList<>();
    List<Chart> charts = new ArrayList<>();
    teams.forEach(
        (workers, arms) -> {
          List<Crossover> crossovers = crossovers(arms);
          headlines.add(headline(workers, arms));
          String with = teams.size() == 1 ? "" : ", %s workers".formatted(workers);
          for (Crossover each : crossovers) facts.add(new Fact("Change" + with, each.words()));
          tables.add(speeds(arms, "texts/s by texts at a time" + with));
          tables.add(changes(arms, crossovers, "where the faster one changes" + with));
          charts.add(speedChart(arms, crossovers, "Texts a second" + with));
          charts.add(gainChart(arms, crossovers, "Which is faster, by how much" + with));
        });
    for (int size : List.of(sizes.getFirst(), sizes.getLast())) tables.add(overhead(size));
    if (sizes.size() > 2) tables.add(overheadOfAll());
    return new Answer(
        String.join(" · ", headlines),
        facts,
        warnings(),
        List.copyOf(new LinkedHashSet<>(tables)),
        charts);
  }

  private Interval gain(Arm arm, Arm over, int size) {
    return outcome.gain(arm.name(), over.name(), figures.apply(size, SPEED), Outcome.CONFIDENCE);
  }

  private Interval level(Arm arm, int size) {
    return outcome.level(arm.name(), figures.apply(size, SPEED));
  }

  private static String strategy(Arm arm) {
    return arm.parameters().get(STRATEGY);
  }

  private List<Crossover> crossovers(List<Arm> arms) {
    List<Crossover> all = new ArrayList<>();
    for (int a = 0; a < arms.size(); a++) {
      for (int b = a + 1; b < arms.size(); b++) {
        Arm one = arms.get(a);
        Arm other = arms.get(b);
        List<Interval> gains = sizes.stream().map(size -> gain(one, other, size)).toList();
        all.add(Crossover.of(strategy(one), strategy(other), sizes, gains));
      }
    }
    return all;
  }

  /** {@code With 2 workers: fine or packed for 1 text, packed for 2–4, coarse for 8–32}. */
  private String headline(String workers, List<Arm> arms) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= sizes.size(); i++) {
      Set<String> best = best(arms, sizes.get(from));
      if (i < sizes.size() && best(arms, sizes.get(i)).equals(best)) continue;
      int first = sizes.get(from);
      int last = sizes.get(i - 1);
      String range =
          first == last
              ? Quantity.count(first)
              : "%s–%s".formatted(Quantity.count(first), Quantity.count(last));
      String unit = parts.isEmpty() ? last == 1 ? " text" : " texts" : "";
      boolean any = best.size() == arms.size();
      String which = any ? "not told apart" : String.join(" or ", best);
      parts.add("%s for %s%s".formatted(which, range, unit));
      from = i;
    }
    return "Fastest with %s: %s"
        .formatted(
            Quantity.many(Long.parseLong(workers), "worker"),
            String.join(", ", parts) + (parts.size() == 1 ? "" : " at a time"));
  }

  /** The fastest at a size, and all that cannot be told from it. */
  private Set<String> best(List<Arm> arms, int size) {
    Arm best = arms.getFirst();
    for (Arm arm : arms) if (gain(arm, best, size).estimate() > 0) best = arm;
    Set<String> names = new LinkedHashSet<>();
    for (Arm arm : arms) {
      if (arm == best || !(gain(best, arm, size).low() > 0)) names.add(strategy(arm));
    }
    return names;
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    int processors = Runtime.getRuntime().availableProcessors();
    for (String workers : teams.keySet()) {
      if (Integer.parseInt(workers) > processors) {
        warnings.add(
            "%s workers share %s: what waits and what works is mixed up"
                .formatted(workers, Quantity.many(processors, "processor")));
      }
    }
    outcome.plans().values().stream()
        .map(plan -> plan.getOrDefault("instead", ""))
        .filter(why -> !why.isEmpty())
        .findFirst()
        .ifPresent(warnings::add);
    if (outcome.outputsDiffer()) {
      warnings.add("the arms did not compute the same vectors");
    }
    return warnings;
  }

  private Table speeds(List<Arm> arms, String title) {
    List<String> columns = new ArrayList<>(List.of("texts"));
    for (Arm arm : arms) columns.add(strategy(arm));
    for (Arm arm : arms.subList(1, arms.size())) {
      columns.add("%s : %s".formatted(strategy(arm), strategy(arms.getFirst())));
    }
    List<List<String>> rows = new ArrayList<>();
    for (int size : sizes) {
      List<String> row = new ArrayList<>(List.of(Quantity.count(size)));
      for (Arm arm : arms) {
        row.add(StudyText.level(level(arm, size)));
      }
      for (Arm arm : arms.subList(1, arms.size())) {
        row.add(StudyText.times(gain(arm, arms.getFirst(), size)));
      }
      rows.add(row);
    }
    return new Table(title, columns, rows);
  }

  private Table changes(List<Arm> arms, List<Crossover> crossovers, String title) {
    List<List<String>> rows = new ArrayList<>();
    for (Crossover each : crossovers) {
      boolean changes = each.found() == Crossover.Found.CHANGES;
      Arm first = named(arms, each.first());
      Arm second = named(arms, each.second());
      rows.add(
          List.of(
              "%s → %s".formatted(each.first(), each.second()),
              each.where(),
              changes ? StudyText.change(gain(first, second, each.sizes().get(each.last()))) : "–",
              changes
                  ? StudyText.change(gain(second, first, each.sizes().get(each.from())))
                  : "–"));
    }
    return new Table(
        title,
        List.of("pair", "change", "below it the first is faster by", "above it the second by"),
        rows);
  }

  private static Arm named(List<Arm> arms, String strategy) {
    return arms.stream().filter(arm -> strategy(arm).equals(strategy)).findFirst().orElseThrow();
  }

  private Table overhead(int size) {
    List<List<String>> rows = new ArrayList<>();
    for (Arm arm : outcome.arms()) rows.add(overhead(arm.name(), arm, size));
    return new Table(
        "a call of %s, and what workers spend on each text".formatted(Quantity.many(size, "text")),
        columns("arm"),
        rows);
  }

  private Table overheadOfAll() {
    List<List<String>> rows = new ArrayList<>();
    for (int size : sizes.subList(1, sizes.size() - 1)) {
      for (Arm arm : outcome.arms()) {
        rows.add(overhead("%s, %d".formatted(arm.name(), size), arm, size));
      }
    }
    return new Table("the same for calls between", columns("arm, texts"), rows);
  }

  private static List<String> columns(String first) {
    List<String> columns = new ArrayList<>(List.of(first, "p50, ms", "p99, ms", "B/text"));
    for (String each : OVERHEAD) {
      columns.add(each.endsWith("s") ? each : each + ", µs");
    }
    return columns;
  }

  private List<String> overhead(String name, Arm arm, int size) {
    List<String> row = new ArrayList<>(List.of(name));
    for (String figure : List.of("p50", "p99", "allocated per text"))
      row.add(median(arm, size, figure));
    for (String each : OVERHEAD) row.add(median(arm, size, each + " per text"));
    return row;
  }

  private String median(Arm arm, int size, String figure) {
    double median = outcome.median(arm.name(), figures.apply(size, figure));
    return Double.isNaN(median) ? "–" : Quantity.number(median);
  }

  /** Over sizes, with a mark where the faster one changes. */
  private static Chart chart(
      String title, String y, List<Chart.Series> series, List<Crossover> crossovers) {
    List<Chart.Mark> marks = new ArrayList<>();
    for (Crossover each : crossovers) {
      if (Double.isNaN(each.place())) continue;
      marks.add(new Chart.Mark(each.place(), "%s → %s".formatted(each.first(), each.second())));
    }
    String x = "texts at a time";
    return new Chart(title, x, y, Scale.LOGARITHMIC, Scale.LINEAR, series, marks);
  }

  private Chart speedChart(List<Arm> arms, List<Crossover> crossovers, String title) {
    List<Chart.Series> series = new ArrayList<>();
    for (Arm arm : arms) {
      series.add(over(strategy(arm), size -> level(arm, size)));
    }
    return chart(title, "texts/s", series, crossovers);
  }

  private Chart gainChart(List<Arm> arms, List<Crossover> crossovers, String title) {
    List<Chart.Series> series = new ArrayList<>();
    for (Crossover each : crossovers) {
      Arm first = named(arms, each.first());
      Arm second = named(arms, each.second());
      String name = "%s over %s".formatted(each.second(), each.first());
      series.add(over(name, size -> gain(second, first, size).map(Interval::percent)));
    }
    return chart(title, "faster by, %", series, crossovers).withLevel(0, "no difference");
  }

  private Chart.Series over(String name, Function<Integer, Interval> figure) {
    return Chart.Series.over(name, Chart.Drawn.LINE, sizes, size -> size, figure);
  }
}
