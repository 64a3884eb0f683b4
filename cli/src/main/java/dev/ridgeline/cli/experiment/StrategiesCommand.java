package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.embed.Embed;
import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.answer.StrategiesAnswer;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.model.Strategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code experiment strategies}: how texts are best spread over the workers, by how many come at a
 * time.
 *
 * <p>An arm is a strategy with a number of workers, each trial a fresh process. Sizes of calls are
 * no arms: a trial takes the same texts through in calls of every size, in another order each time.
 * So each size is measured by a JVM that knows all of them, as that of a server does, and
 * strategies still never share a process; what a trial costs beside measuring (its start, its
 * warm-up) is paid once for all sizes, and the budget buys six times the rounds.
 */
@Command(
    name = "strategies",
    description =
        "Fine, coarse or packed: which is faster for how many texts at a time, and where it"
            + " changes.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment strategies",
      "  ridgeline experiment strategies --sizes 1,2,3,4,6,8 --budget 10m",
      "  ridgeline experiment strategies --workers 1,2,4 -- -m synth:embeddinggemma-300m",
      "  ridgeline experiment strategies --preset go",
      "  ridgeline experiment strategies --preset go --iterations 20",
    })
final class StrategiesCommand implements Callable<Integer> {

  /** Texts of a pass at least: a mixture of lengths. */
  private static final int FEWEST_TEXTS = 32;

  private static final Setting<String> STRATEGIES =
      Setting.text(
          "--strategies LIST", "fine,coarse,packed", "Which of fine, coarse, packed, auto.");
  private static final Setting<String> SIZES =
      Setting.text("--sizes LIST", "1,2,4,8,16,32", "Texts that come at a time.");
  private static final Setting<String> WORKER_COUNTS =
      Setting.text("--workers LIST", "Numbers of workers (default: all processors).");
  private static final Setting<GoComparison.Preset> PRESET =
      Setting.choice(
          "--preset NAME",
          GoComparison.Preset.class,
          "go: 32 texts by 8 workers, 100 times, fine against coarse on EmbeddingGemma's shape,"
              + " with the folder of profiles that goes with it.");
  private static final Setting<Integer> ITERATIONS =
      Setting.number(
          "--iterations N", "With --preset: how often all texts are embedded (default: 100).");
  private static final Setting<String> BUDGET = Laboratory.budget("5m");

  @Mixin
  private final Settings settings =
      new Settings(
          Laboratory.settings(BUDGET, STRATEGIES, SIZES, WORKER_COUNTS, PRESET, ITERATIONS));

  @Parameters(
      arity = "0..*",
      paramLabel = "OPTION",
      description = "After --: more options of `ridgeline profile embed`, -m MODEL for instance.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Laboratory laboratory = new Laboratory(settings, spec, BUDGET);
    if (settings.read(PRESET) != null) return preset(laboratory);
    if (settings.given(ITERATIONS)) throw new Problem("--iterations belongs to --preset");
    List<Integer> sizes = List.copyOf(Amounts.counts(SIZES.name(), settings.read(SIZES)));
    int texts = texts(sizes);
    List<String> strategies = strategies();
    List<Attempt> attempts = new ArrayList<>();
    for (int workers : workers()) {
      for (String strategy : strategies) {
        List<String> start = new ArrayList<>(List.of("embed", "--texts", "" + texts));
        start.addAll(List.of("--calls", join(sizes), "--strategy", strategy));
        start.addAll(List.of("--workers", "" + workers));
        start.addAll(words);
        attempts.add(
            new Attempt(
                arm(strategy, workers, workers().size() > 1),
                new Start.Workload(start, List.of())));
      }
    }
    String title =
        "%s with %s workers, %s texts at a time%s"
            .formatted(
                String.join(", ", strategies),
                join(List.copyOf(workers())),
                join(sizes),
                words.isEmpty() ? "" : " · " + String.join(" ", words));
    String metric = Embed.figure(sizes.getLast(), StrategiesAnswer.SPEED);
    Plan plan =
        new Plan("strategies", title, attempts, attempts.getFirst().arm().name(), metric, Aim.EACH);
    return laboratory.run(
        plan, sweep -> new StrategiesAnswer(sweep.outcome(), sizes, Embed::figure).answer());
  }

  private int preset(Laboratory laboratory) {
    for (Setting<?> other : List.of(STRATEGIES, SIZES)) {
      if (settings.given(other)) throw new Problem(other.name() + " is the preset's to say");
    }
    Integer asked = settings.read(ITERATIONS);
    int iterations = asked == null ? GoComparison.ITERATIONS : asked;
    if (iterations < 1) throw new Problem("--iterations %d: at least 1".formatted(iterations));
    TreeSet<Integer> workers = new TreeSet<>(List.of(GoComparison.WORKERS));
    if (settings.given(WORKER_COUNTS)) workers = workers();
    if (workers.size() > 1) throw new Problem("--preset: one number of workers");
    return new GoComparison(iterations, workers.first(), words).run(laboratory);
  }

  static Arm arm(String strategy, int workers, boolean several) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put(StrategiesAnswer.STRATEGY, strategy);
    parameters.put(StrategiesAnswer.WORKERS, "" + workers);
    return new Arm(several ? strategy + "-" + workers : strategy, parameters);
  }

  private static String join(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private List<String> strategies() {
    List<String> all = new ArrayList<>();
    for (String word : settings.read(STRATEGIES).split(",", -1)) {
      String name = word.strip().toLowerCase(Locale.ROOT);
      boolean known = List.of(Strategy.values()).stream().anyMatch(s -> s.word().equals(name));
      if (!known) {
        throw new Problem(
            "--strategies %s: '%s' is none of fine, coarse, packed, auto"
                .formatted(settings.read(STRATEGIES), word.strip()));
      }
      if (!all.contains(name)) all.add(name);
    }
    if (all.size() < 2)
      throw new Problem("--strategies %s: at least two".formatted(all.getFirst()));
    return all;
  }

  private TreeSet<Integer> workers() {
    String given = settings.read(WORKER_COUNTS);
    if (given != null) return Amounts.counts(WORKER_COUNTS.name(), given);
    return new TreeSet<>(List.of(Runtime.getRuntime().availableProcessors()));
  }

  /** The fewest that can be handed over in whole calls of every size. */
  private static int texts(List<Integer> sizes) {
    long texts = 1;
    for (int size : sizes) {
      texts = texts / gcd(texts, size) * size;
      if (texts > Embed.MOST_TEXTS) {
        throw new Problem(
            "--sizes %s: no %,d texts or fewer are whole calls of all these"
                .formatted(join(sizes), Embed.MOST_TEXTS));
      }
    }
    long least = texts;
    while (texts < FEWEST_TEXTS) texts += least;
    return (int) texts;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
