package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment ablation}: what each optimisation is worth. */
@Command(
    name = "ablation",
    description = "What each optimisation is worth: one after the other is switched off.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment ablation",
      "  ridgeline experiment ablation -- generate -n 128",
      "  ridgeline experiment ablation --only kv-cache,fusion --budget 2m -- generate",
    })
final class AblationCommand implements Callable<Integer> {
  private static final String AXIS = "without";
  private static final String ALL = "all-on";

  /** More do not fit a line. */
  private static final int MOST_NAMED = 4;

  private static final Setting<String> ONLY =
      Setting.text(
          "--only LIST",
          "Of: "
              + Arrays.stream(Switch.values()).map(Switch::word).collect(Collectors.joining(", "))
              + " (default: all that the workload has).");
  private static final Setting<String> BUDGET = Laboratory.budget("5m");

  @Mixin private final Settings settings = new Settings(Laboratory.settings(BUDGET, ONLY));

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Behind --: embed (the default) or generate, with its options.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String kind = words.isEmpty() ? "embed" : words.getFirst();
    if (!List.of("embed", "generate").contains(kind)) {
      throw new Problem("'%s': embed or generate have what can be switched off".formatted(kind));
    }
    List<String> workload = words.size() > 1 ? words : usual(kind);
    List<Attempt> attempts = new ArrayList<>();
    attempts.add(new Attempt(new Arm(ALL, Map.of()), new Start.Workload(workload, List.of())));
    for (Switch each : switches(kind)) {
      List<String> with = new ArrayList<>(workload);
      with.addAll(each.options());
      attempts.add(
          new Attempt(
              new Arm("without-" + each.word(), Map.of(AXIS, each.word())),
              new Start.Workload(with, each.jvm())));
    }
    String title =
        "%s, with each of its optimisations left out".formatted(String.join(" ", workload));
    Plan plan = new Plan("ablation", title, attempts, ALL, null, Aim.EACH).distinctly();
    return new Laboratory(settings, spec, BUDGET).run(plan, AblationCommand::conclude);
  }

  /** Short enough that plain loops come to an end, too. */
  private static List<String> usual(String kind) {
    return kind.equals("embed")
        ? List.of("embed", "--texts", "32", "--warm-up", "3")
        : List.of("generate", "-n", "64", "--warm-up", "3");
  }

  private List<Switch> switches(String kind) {
    List<Switch> all = Switch.of(kind);
    String given = settings.read(ONLY);
    if (given == null) return all;
    List<Switch> some = new ArrayList<>();
    for (String word : given.split(",")) {
      Switch found =
          all.stream().filter(each -> each.word().equals(word.strip())).findFirst().orElse(null);
      if (found == null) {
        String known = all.stream().map(Switch::word).collect(Collectors.joining(", "));
        throw new Problem("--only %s: %s has %s".formatted(word.strip(), kind, known));
      }
      if (!some.contains(found)) some.add(found);
    }
    return some;
  }

  /** An optimisation and what is left of the speed without it, as a log. */
  private record Left(Switch what, String arm, Interval gain) {
    boolean sure(double threshold) {
      return gain.bounded()
          && (gain.high() < 0 || gain.low() > 0)
          && Math.abs(gain.estimate()) > Math.log1p(threshold);
    }
  }

  static Answer conclude(Sweep sweep) {
    Outcome outcome = sweep.outcome();
    String metric = sweep.metric();
    double threshold = sweep.question().threshold();
    List<Left> all = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(ALL)) continue;
      Switch what = Switch.named(arm.parameters().get(AXIS));
      all.add(
          new Left(what, arm.name(), outcome.gain(arm.name(), ALL, metric, Outcome.CONFIDENCE)));
    }
    all.sort(Comparator.comparingDouble(each -> each.gain().estimate()));
    List<Fact> facts = new ArrayList<>();
    List<String> nothing =
        all.stream().filter(each -> !each.sure(threshold)).map(each -> each.what().word()).toList();
    if (!nothing.isEmpty() && nothing.size() < all.size()) {
      facts.add(
          new Fact(
              "Unsure", "no difference that can be told without " + String.join(", ", nothing)));
    }
    List<Switch> idle =
        sweep.leftOut().stream().map(arm -> Switch.named(arm.parameters().get(AXIS))).toList();
    if (!idle.isEmpty()) {
      facts.add(
          new Fact(
              "Idle",
              "not in force here, the plan is the same without: "
                  + idle.stream().map(Switch::word).collect(Collectors.joining(", "))));
    }
    String unit = outcome.metric(metric).unit();
    return new Answer(
        headline(all, threshold),
        facts,
        warnings(outcome),
        List.of(table(outcome, metric + (unit.isEmpty() ? "" : ", " + unit), metric, all, idle)),
        all.isEmpty() ? List.of() : List.of(chart(all)));
  }

  private static String headline(List<Left> all, double threshold) {
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
  private static List<String> warnings(Outcome outcome) {
    List<String> warnings = new ArrayList<>();
    Map<String, Set<String>> digests = outcome.digests();
    Set<String> reference = digests.getOrDefault(ALL, Set.of());
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(ALL) || reference.size() != 1) continue;
      Switch what = Switch.named(arm.parameters().get(AXIS));
      if (what.exact() && !digests.getOrDefault(arm.name(), Set.of()).equals(reference)) {
        warnings.add("%s has other results, and should have the same".formatted(arm.name()));
      }
    }
    return warnings;
  }

  private static Table table(
      Outcome outcome, String measured, String metric, List<Left> all, List<Switch> idle) {
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

  private static Chart chart(List<Left> all) {
    List<Chart.Point> points = new ArrayList<>();
    for (Left each : all) {
      Interval gain = each.gain();
      double low = gain.bounded() ? Math.exp(gain.low()) : Double.NaN;
      double high = gain.bounded() ? Math.exp(gain.high()) : Double.NaN;
      points.add(
          new Chart.Point(
              points.size(),
              Math.exp(gain.estimate()),
              low,
              high,
              "without " + each.what().word()));
    }
    return new Chart(
            "Speed without each, where all on is 1",
            "",
            "x",
            Chart.Scale.NAMES,
            Chart.Scale.LOGARITHMIC,
            List.of(new Chart.Series("speed", Chart.Drawn.DOTS, points)),
            List.of())
        .withLevel(1, "all on");
  }
}
