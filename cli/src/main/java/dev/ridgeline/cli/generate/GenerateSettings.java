package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import java.util.List;
import java.util.stream.Stream;

/** The options that everything shares that generates. */
public final class GenerateSettings {
  /** What runs when nobody says which. */
  public static final String USUAL_MODEL = "stories15m";

  public static final Setting<String> MODEL = ModelOptions.model(USUAL_MODEL);

  static final Setting<Integer> TOKENS =
      Setting.number(
          "-n, --tokens N",
          "Generate at most N, 0 for as many as the context holds (default: 256; 50 with"
              + " --inferences; 128 in a profile).");
  private static final Setting<Float> TEMPERATURE =
      Setting.number(
          "--temperature T",
          Sampling.DEFAULT.temperature(),
          "0 always takes the likeliest token, 1 draws as the model was trained.");
  private static final Setting<Integer> TOP_K =
      Setting.number(
          "--top-k N", Sampling.DEFAULT.topK(), "Draw from the N likeliest tokens, 0 for all.");
  private static final Setting<Float> TOP_P =
      Setting.number(
          "--top-p P",
          Sampling.DEFAULT.topP(),
          "Draw from the smallest set of tokens that holds P of the probability.");
  private static final Setting<Float> MIN_P =
      Setting.number(
          "--min-p P",
          Sampling.DEFAULT.minP(),
          "Leave out tokens less than P times as likely as the likeliest.");
  private static final Setting<Float> REPEAT_PENALTY =
      Setting.number(
          "--repeat-penalty X",
          Sampling.DEFAULT.repeatPenalty(),
          "Divide the scores of recent tokens by X; 1 for none.");
  private static final Setting<Integer> REPEAT_LAST =
      Setting.number("--repeat-last N", Sampling.DEFAULT.repeatLast(), "Number of recent tokens.");
  static final Setting<Long> SEED =
      Setting.number(
          "--seed N", Sampling.DEFAULT.seed(), "Random seed: the same seed gives the same text.");
  private static final Setting<String[]> STOP =
      Setting.texts("--stop TEXT", "Stop at this text; may be repeated.");
  private static final Setting<Integer> CONTEXT =
      Setting.number(
          "--context N",
          "Maximum tokens of a sequence, prompt included (default: the model's, up to 4096).");
  private static final Setting<CacheType> CACHE_TYPE =
      Setting.choice(
          "--cache-type TYPE", CacheType.class, CacheType.F16, "Type of the KV cache: f16 or f32.");

  /** What a conversation has besides its model and the length of an answer. */
  public static final List<Setting<?>> SHARED =
      List.of(
          TEMPERATURE,
          TOP_K,
          TOP_P,
          MIN_P,
          REPEAT_PENALTY,
          REPEAT_LAST,
          SEED,
          STOP,
          CONTEXT,
          CACHE_TYPE,
          ModelOptions.DEVICE,
          ModelOptions.WORKERS,
          ModelOptions.REPACK,
          ModelOptions.CACHE,
          ModelOptions.HUB);

  /** All of them. */
  static final List<Setting<?>> ALL =
      Stream.concat(Stream.of(MODEL, TOKENS), SHARED.stream()).toList();

  private GenerateSettings() {}

  /**
   * How tokens are chosen.
   *
   * @param tokens at most, unless said otherwise
   */
  static Sampling sampling(Settings settings, int tokens) {
    Integer asked = settings.read(TOKENS);
    return drawing(settings, asked == null ? tokens : asked);
  }

  /** How tokens are chosen, so many at most. */
  public static Sampling drawing(Settings settings, int tokens) {
    if (tokens < 0) throw new Problem("--tokens " + tokens + ": at least 0");
    String[] stop = settings.read(STOP);
    return new Sampling(
        tokens,
        settings.read(TEMPERATURE),
        settings.read(TOP_K),
        settings.read(TOP_P),
        settings.read(MIN_P),
        settings.read(REPEAT_PENALTY),
        settings.read(REPEAT_LAST),
        settings.read(SEED),
        stop == null ? List.of() : List.of(stop));
  }

  /**
   * How the generator works.
   *
   * @param sequences that are worked on together at most
   */
  public static GeneratorOptions options(Settings settings, int sequences) {
    Integer context = settings.read(CONTEXT);
    return GeneratorOptions.DEFAULT
        .withDevice(ModelOptions.deviceAndRepack(settings))
        .withContext(
            context == null ? 0 : Settings.requireWithin(CONTEXT, context, Integer.MAX_VALUE))
        .withSequences(sequences)
        .withCache(settings.read(CACHE_TYPE).type);
  }
}
