package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.generate.Generate;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.answer.ContextAnswer;
import dev.ridgeline.lab.sweep.Aim;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code experiment context}: what a token costs by how many stand before it.
 *
 * <p>A trial goes to several depths of the context, each further than the one before, and makes a
 * few tokens there; so the way there is read once, in large pieces, and not token by token. Depths
 * share a process, which takes away from what is asked here, how time grows, all that makes one
 * process faster than another.
 */
@Command(
    name = "context",
    description = "What a token costs by its position, and what every 1,000 positions add.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment context",
      "  ridgeline experiment context -- -m stories15m",
      "  ridgeline experiment context --depths 17 --budget 15m -- -m synth:tinyllama-1.1b",
      "  ridgeline experiment context --cache-types f16 -- -m model.gguf --context 8192",
    })
final class ContextCommand implements Callable<Integer> {

  /** A context of 1,024, and no weights to fetch: time does not depend on what they say. */
  private static final String MODEL = "synth:gpt2";

  private static final Setting<Integer> DEPTHS =
      Setting.number("--depths N", 9, "How many positions, from the first to the last.");
  private static final Setting<String> CACHE_TYPES =
      Setting.text("--cache-types LIST", "f16,f32", "How keys and values are kept: f16, f32.");
  private static final Setting<String> BUDGET = Laboratory.budget("3m");

  @Mixin
  private final Settings settings = new Settings(Laboratory.settings(BUDGET, DEPTHS, CACHE_TYPES));

  @Parameters(
      arity = "0..*",
      paramLabel = "OPTION",
      description = "After --: more options of `ridgeline profile generate`, -m MODEL for one.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    int depths = settings.positive(DEPTHS, 1_000);
    if (!words.isEmpty() && !words.getFirst().startsWith("-")) {
      throw new Problem(
          "'%s': context runs generate only; its options follow --, -m MODEL for one"
              .formatted(words.getFirst()));
    }
    if (depths < 3) throw new Problem("--depths %d: a line needs at least 3".formatted(depths));
    List<Attempt> attempts = new ArrayList<>();
    for (String type : cacheTypes()) {
      List<String> start = new ArrayList<>(List.of("generate", "--depths", "" + depths));
      start.addAll(List.of("--cache-type", type));
      if (words.stream().noneMatch(word -> word.matches("(-m|--model)(=.*)?"))) {
        start.addAll(List.of("-m", MODEL));
      }
      start.addAll(words);
      attempts.add(Attempt.of("cache-" + type, Map.of(ContextAnswer.CACHE_TYPE, type), start));
    }
    String title =
        "a token at %d depths of the context · %s"
            .formatted(depths, words.isEmpty() ? "-m " + MODEL : String.join(" ", words));
    Plan plan =
        new Plan("context", title, attempts, attempts.getFirst().arm().name(), null, Aim.EACH);
    Laboratory laboratory = new Laboratory(settings, spec, BUDGET);
    return laboratory.run(
        plan, sweep -> new ContextAnswer(sweep.outcome(), Generate::figure).answer());
  }

  private Set<String> cacheTypes() {
    Set<String> types = new LinkedHashSet<>();
    for (String word : settings.read(CACHE_TYPES).split(",", -1)) {
      String type = word.strip().toLowerCase(Locale.ROOT);
      if (!List.of("f16", "f32").contains(type)) {
        throw new Problem(
            "--cache-types %s: '%s' is none of f16, f32"
                .formatted(settings.read(CACHE_TYPES), word.strip()));
      }
      types.add(type);
    }
    return types;
  }
}
