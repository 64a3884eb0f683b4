package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What each optimisation is worth, by what is left of the speed without it. */
public final class AblationAnswer {
  /** The arm that leaves out nothing. */
  public static final String ALL = "all-on";

  /** What an arm leaves out, as a parameter. */
  public static final String WITHOUT = "without";

  /** More do not fit a line. */
  private static final int MOST_NAMED = 4;

  private final Outcome outcome;
  private final String metric;
  private final double threshold;
  private final List<Switch> idle;
  private final List<Left> all = new ArrayList<>();

  /** An optimisation and what is left of the speed without it, as a log. */
  private record Left(Switch what, String arm, Interval gain) {
    boolean sure(double threshold) {
      return gain.bounded()
          && (gain.high() < 0 || gain.low() > 0)
          && Math.abs(gain.estimate()) > Math.log1p(threshold);
    }
  }

  public AblationAnswer(Sweep sweep) {
    this.outcome = sweep.outcome();
    this.metric = sweep.metric();
    this.threshold = sweep.question().threshold();
    this.idle = sweep.leftOut().stream().map(AblationAnswer::left).toList();
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(ALL)) continue;
      Interval gain = outcome.gain(arm.name(), ALL, metric, Outcome.CONFIDENCE);
      all.add(new Left(left(arm), arm.name(), gain));
    }
    all.sort(Comparator.comparingDouble(each -> each.gain().estimate()));
  }

  /** What an arm leaves out. */
  private static Switch left(Arm arm) {
    return Switch.named(arm.parameters().get(WITHOUT));
  }

  public Answer answer() {
    List<Fact> facts = new ArrayList<>();
    List<Switch> nothing =
        all.stream().filter(each -> !each.sure(threshold)).map(Left::what).toList();
    if (!nothing.isEmpty() && nothing.size() < all.size()) {
      facts.add(new Fact("Unsure", "no difference that can be told without " + words(nothing)));
    }
    if (!idle.isEmpty()) {
      facts.add(
          new Fact("Idle", "not in force here, the plan is the same without: " + words(idle)));
    }
    return new Answer(
        headline(),
        facts,
        warnings(),
        List.of(table()),
        all.isEmpty() ? List.of() : List.of(chart()));
  }

  private static String words(List<Switch> some) {
    return some.stream().map(Switch::word).collect(Collectors.joining(", "));
  }

  private String headline() {
    if (all.isEmpty()) return "none of these is in force here: nothing to leave out";
    boolean known = all.stream().anyMatch(each -> each.gain().bounded());
    // What does harm is as good to know as what helps.
    List<String> most =
        all.stream()
            .filter(each -> known ? each.sure(threshold) : !Double.isNaN(each.gain().estimate()))
            .sorted(Comparator.comparingDouble(each -> -Math.abs(each.gain().estimate())))
            .limit(MOST_NAMED)
            .map(each -> "without %s %s".formatted(each.what().word(), times(each)))
            .toList();
    if (!known) return "too few rounds to be sure; so far speed is " + String.join(", ", most);
    return most.isEmpty()
        ? "no optimisation is worth anything for sure here"
        : "speed is " + String.join(", ", most);
  }

  private static String times(Left each) {
    return StudyText.times(each.gain());
  }

  /** Where the same results are promised, others are a defect. */
  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    Map<String, Set<String>> digests = outcome.digests();
    Set<String> reference = digests.getOrDefault(ALL, Set.of());
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(ALL) || reference.size() != 1 || !left(arm).exact()) continue;
      if (!digests.getOrDefault(arm.name(), Set.of()).equals(reference)) {
        warnings.add("%s has other results, and should have the same".formatted(arm.name()));
      }
    }
    return warnings;
  }

  private Table table() {
    String unit = outcome.metric(metric).unit();
    String measured = metric + (unit.isEmpty() ? "" : ", " + unit);
    Set<String> reference = outcome.digests().getOrDefault(ALL, Set.of());
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "nothing: all are on",
            StudyText.level(outcome.level(ALL, metric)),
            StudyText.ITSELF,
            StudyText.ITSELF,
            ""));
    for (Left each : all) {
      Set<String> digest = outcome.digests().getOrDefault(each.arm(), Set.of());
      rows.add(
          List.of(
              "%s: %s".formatted(each.what().word(), each.what().words()),
              StudyText.level(outcome.level(each.arm(), metric)),
              times(each),
              StudyText.times(each.gain().negated()),
              digest.equals(reference)
                  ? "the same"
                  : each.what().exact() ? "OTHER" : "rounded otherwise"));
    }
    for (Switch each : idle) {
      String name = "%s: %s".formatted(each.word(), each.words());
      rows.add(List.of(name, "–", "–", "not in force here", ""));
    }
    return new Table("", List.of("without", measured, "speed", "so it is worth", "results"), rows);
  }

  private Chart chart() {
    Chart.Series speeds =
        Chart.Series.ofNames(
            "speed",
            all,
            each -> "without " + each.what().word(),
            each -> each.gain().map(Math::exp));
    return new Chart(
            "Speed without each, where all on is 1",
            "",
            "x",
            Chart.Scale.NAMES,
            Chart.Scale.LOGARITHMIC,
            List.of(speeds),
            List.of())
        .withLevel(1, "all on");
  }
}
