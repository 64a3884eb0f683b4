package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.memory.Growth;
import dev.ridgeline.lab.memory.MemorySeries;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What texts allocate, and whether memory that is held grows with them. */
public final class AllocationAnswer {
  /** The only arm. */
  public static final String ARM = "as-it-is";

  /** The metric that decides. */
  public static final String PER_TEXT = "allocated per text";

  /** Bytes of a text that matter: less is what the measuring itself keeps. */
  private static final double LEAST = 4;

  /** Bytes of a text that a scope allocates now and then, as code is compiled. */
  private static final double NEGLIGIBLE = 0.5;

  private final Outcome outcome;

  public AllocationAnswer(Outcome outcome) {
    this.outcome = outcome;
  }

  public Answer answer() {
    Interval each = interval(PER_TEXT);
    Interval heap = interval(MemorySeries.GROWTH);
    Interval outside = interval(MemorySeries.OWNED_GROWTH);
    List<Reading.Value> scopes =
        outcome.metrics().stream()
            .filter(metric -> metric.name().startsWith(MemorySeries.ALLOCATED))
            .filter(metric -> median(metric.name()) >= NEGLIGIBLE)
            .sorted(Comparator.comparingDouble(metric -> -median(metric.name())))
            .toList();
    double planned = median("planned outside the heap");
    double owned = median(MemorySeries.OWNED);
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Heap",
            "live after a collection: %s; %s"
                .formatted(Quantity.bytes((long) median(MemorySeries.LIVE)), growth(heap))));
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
        headline(each, heap, outside, scopes),
        facts,
        warnings,
        List.of(table(scopes)),
        List.of(held(), perText(scopes)));
  }

  private Interval interval(String metric) {
    return HodgesLehmann.of(outcome.values(ARM, metric), Outcome.CONFIDENCE);
  }

  private double median(String metric) {
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

  private String headline(
      Interval each, Interval heap, Interval outside, List<Reading.Value> scopes) {
    Growth onHeap = Growth.of(heap, LEAST);
    Growth beside = Growth.of(outside, LEAST);
    String where =
        scopes.isEmpty() || median(scopes.getFirst().name()) < LEAST
            ? "in code outside of scopes"
            : "in " + place(scopes.getFirst());
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

  private static String place(Reading.Value scope) {
    return scope.name().substring(MemorySeries.ALLOCATED.length());
  }

  private Table table(List<Reading.Value> scopes) {
    List<List<String>> rows = new ArrayList<>();
    for (Reading.Value scope : scopes) {
      rows.add(List.of(place(scope), StudyText.level(interval(scope.name()))));
    }
    if (rows.isEmpty()) rows.add(List.of("no scope", "less than 1"));
    return new Table("", List.of("scope", "allocated by itself, B/text"), rows);
  }

  /** Every figure in bytes a text: what stays, and the scopes that allocate most. */
  private Chart perText(List<Reading.Value> scopes) {
    Map<String, String> names = new LinkedHashMap<>();
    names.put(MemorySeries.GROWTH, "stays on the heap");
    names.put(MemorySeries.OWNED_GROWTH, "stays outside");
    for (Reading.Value scope : scopes.subList(0, Math.min(3, scopes.size()))) {
      names.put(scope.name(), place(scope));
    }
    return Chart.ofNames(
            "Bytes a text: what stays, and what is allocated where",
            "B/text",
            Chart.Series.ofNames("bytes a text", names.keySet(), names::get, this::interval))
        .withLevel(0, "");
  }

  /** What is held along the work: a leak climbs, and what is steady does not. */
  private Chart held() {
    return new Chart(
            "Held after so many texts, more than when all had settled",
            "texts",
            "kB",
            Chart.Scale.FROM_ZERO,
            Chart.Scale.LINEAR,
            List.of(
                held(MemorySeries.LIVE, "on the heap"),
                held(MemorySeries.OWNED, "outside the heap")),
            List.of())
        .withLevel(0, "");
  }

  private Chart.Series held(String held, String name) {
    List<Chart.Point> points = new ArrayList<>();
    String beginning = MemorySeries.more(held, 0).replaceFirst("0$", "");
    for (Reading.Value metric : outcome.metrics()) {
      if (!metric.name().startsWith(beginning)) continue;
      String texts = metric.name().substring(beginning.length()).replace(",", "");
      Interval level = interval(metric.name());
      points.add(Chart.Point.of(Double.parseDouble(texts), level, bytes -> bytes / 1e3));
    }
    return new Chart.Series(name, Chart.Drawn.LINE, points);
  }
}
