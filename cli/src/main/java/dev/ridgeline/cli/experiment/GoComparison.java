package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.answer.StrategiesAnswer;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The comparison that a Go runtime of embeddings once published: 32 texts by 8 workers, 100 times,
 * parallel within each product of matrices (<i>current</i>) against parallel across texts
 * (<i>optimized</i>).
 *
 * <p>Its two sides were run once each, one after the other, and a flag that told them apart was
 * never read. Here the iterations are shared out among rounds of fresh processes in random order,
 * the plans of both are kept, and the gain has an interval.
 */
final class GoComparison {
  /** Presets by name. */
  enum Preset {
    GO
  }

  static final int TEXTS = 32;
  static final int WORKERS = 8;
  static final int ITERATIONS = 100;
  static final String CURRENT = "current";
  static final String OPTIMIZED = "optimized";
  static final String METRIC = "embedded";

  private static final String MODEL = "synth:embeddinggemma-300m";

  /** Rounds that iterations are shared out among: as many as an interval needs, and some. */
  private static final int ROUNDS = 10;

  private static final String WARM_UP = "5";

  private final int iterations;
  private final int workers;
  private final List<String> words;

  /**
   * @param iterations of each arm, all rounds together
   * @param words more options of the workload
   */
  GoComparison(int iterations, int workers, List<String> words) {
    this.iterations = iterations;
    this.workers = workers;
    this.words = words;
  }

  /** Iterations of a trial. */
  private int each() {
    return Math.max(1, iterations / ROUNDS);
  }

  private int rounds() {
    return (iterations + each() - 1) / each();
  }

  int run(Laboratory laboratory) {
    List<Attempt> attempts = List.of(attempt(CURRENT, "fine"), attempt(OPTIMIZED, "coarse"));
    String title =
        "%s by %s, %s: fine (%s) against coarse (%s)"
            .formatted(
                Quantity.many(TEXTS, "text"),
                Quantity.many(workers, "worker"),
                Quantity.many((long) rounds() * each(), "iteration"),
                CURRENT,
                OPTIMIZED);
    Plan plan =
        new Plan("strategies-go", title, attempts, CURRENT, METRIC, Aim.EACH, rounds(), false);
    return laboratory.run(
        plan,
        sweep -> answer(sweep.outcome()),
        (study, record) -> new GoFolder(study, record, workers, each()).write());
  }

  private Attempt attempt(String name, String strategy) {
    List<String> start = new ArrayList<>(List.of("embed", "--strategy", strategy));
    start.addAll(List.of("--texts", "" + TEXTS, "--workers", "" + workers));
    start.addAll(List.of("--iterations", "" + each(), "--sample=all"));
    if (!says("-m", "--model")) start.addAll(List.of("-m", MODEL));
    if (!says("--warm-up")) start.addAll(List.of("--warm-up", WARM_UP));
    start.addAll(words);
    Map<String, String> parameters = StrategiesCommand.arm(strategy, workers, false).parameters();
    return Attempt.of(name, parameters, start);
  }

  private boolean says(String... options) {
    return words.stream().anyMatch(word -> List.of(options).contains(word.replaceFirst("=.*", "")));
  }

  static Interval gain(Outcome outcome) {
    return outcome.gain(OPTIMIZED, CURRENT, METRIC, Outcome.CONFIDENCE);
  }

  /** Which is faster, as far as that is sure. */
  static String winner(Outcome outcome) {
    Interval gain = gain(outcome);
    if (gain.low() > 0) return "Coarse is %s as fast as fine".formatted(StudyText.times(gain));
    if (gain.high() < 0) {
      return "Fine is %s as fast as coarse".formatted(StudyText.times(gain.negated()));
    }
    return "Fine and coarse cannot be told apart: coarse is %s as fast"
        .formatted(StudyText.times(gain));
  }

  private Answer answer(Outcome outcome) {
    List<String> warnings = new ArrayList<>();
    int processors = Runtime.getRuntime().availableProcessors();
    if (workers > processors) {
      warnings.add(
          "%s workers share %s: on %d processors of their own they would do otherwise"
              .formatted(workers, Quantity.many(processors, "processor"), workers));
    }
    if (iterations < ITERATIONS) {
      warnings.add(
          "%s instead of %d".formatted(Quantity.many(iterations, "iteration"), ITERATIONS));
    }
    if (outcome.outputsDiffer()) {
      warnings.add("the arms did not compute the same vectors");
    }
    Function<Arm, String> name =
        arm -> "%s (%s)".formatted(arm.name(), arm.parameters().get(StrategiesAnswer.STRATEGY));
    Chart.Series speeds =
        Chart.Series.ofNames(
            "texts/s", outcome.arms(), name, arm -> outcome.level(arm.name(), METRIC));
    return new Answer(
        "%s: %d texts, %s".formatted(winner(outcome), TEXTS, Quantity.many(workers, "worker")),
        List.of(
            new Fact(
                "Folder", "%s/ with README.md, and profiles of both".formatted(GoFolder.NAME))),
        warnings,
        List.of(table(outcome)),
        List.of(Chart.ofNames("Texts a second", "texts/s", speeds)));
  }

  static Table table(Outcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      Interval rate = outcome.level(arm.name(), METRIC);
      double allocated = outcome.median(arm.name(), "allocated per text");
      rows.add(
          List.of(
              arm.name(),
              arm.parameters().get(StrategiesAnswer.STRATEGY),
              StudyText.level(rate),
              Quantity.number(TEXTS / rate.estimate()),
              Quantity.number(1e3 / rate.estimate()),
              Double.isNaN(allocated) ? "–" : Quantity.number(allocated)));
    }
    return new Table(
        "", List.of("arm", "strategy", "texts/s", "s/iteration", "ms/text", "B/text"), rows);
  }
}
