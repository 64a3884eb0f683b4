package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.models.ModelOptions.Chosen;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload.Amount;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Use;
import java.nio.file.Path;
import java.util.List;

/** The door of this package: the workload that the options ask for. */
public final class Generate {
  /** For machines that cannot fetch the default model. */
  private static final String STAND_IN = "synth:medium";

  private static final int TOKENS = 128;

  /** Rounds are short: so many that what the JIT still does is lost in them. */
  private static final Setting<Integer> ITERATIONS =
      Setting.number("--iterations N", 25, RunOptions.ITERATIONS.description());

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "generate",
          "[PROMPT]",
          "Continues a bundled prompt, or yours, repeatedly.",
          settings(),
          RunOptions.FOR.name(),
          List.of(RunOptions.ITERATIONS.name()),
          Generate::from);

  /** Who gives one of them says how much to do; else the time decides. */
  private static final List<Setting<?>> LENGTHS =
      List.of(
          Prompts.INFERENCES,
          Prompts.DEPTHS,
          GenerateSettings.TOKENS,
          ITERATIONS,
          RunOptions.FOR,
          RunOptions.WARM_UP);

  private Generate() {}

  /** What the time of a token is called of which so many stand before it. */
  public static String figure(int position) {
    return "a token at " + position;
  }

  private static List<Setting<?>> settings() {
    return Settings.with(
        Settings.with(Prompts.SETTINGS, Prompts.DEPTHS),
        Settings.with(GenerateSettings.ALL, ITERATIONS, RunOptions.FOR, RunOptions.WARM_UP)
            .toArray(Setting[]::new));
  }

  private static Workload from(Settings settings, List<String> words, Progress progress) {
    Prompts given = Prompts.given(settings, words);
    Prompts prompts = given == null ? new Prompts.Bundled() : given;
    int tokens = prompts.apart() ? prompts.tokens() : TOKENS;
    Sampling sampling = GenerateSettings.sampling(settings, tokens);
    GeneratorOptions options = GenerateSettings.options(settings, prompts.together());
    double seconds = RunOptions.seconds(settings);
    int iterations = seconds > 0 ? 1 : settings.positive(ITERATIONS);
    double warmUp = RunOptions.warmUp(settings);
    var model =
        ModelOptions.chosen(settings, GenerateSettings.MODEL, STAND_IN, Use.GENERATE, progress);
    return new GenerateWorkload(
        new GenerateWorkload.Plan(
            "",
            model,
            options,
            prompts,
            sampling,
            new Amount(
                sampling.maxTokens(),
                iterations,
                seconds,
                warmUp,
                given == null
                    ? Pace.unlessGiven(settings, LENGTHS)
                    : Pace.unbounded(System::nanoTime))));
  }

  /**
   * What SmallMind's profiler runs a model with: three texts of 50 tokens, each behind 32 that are
   * made up, at a temperature of 0.8.
   *
   * @param name the scope around it
   * @param warmUp seconds of warming up at most
   */
  public static Workload inferences(
      String name, String model, Path file, int workers, long seed, double warmUp) {
    Sampling sampling = Sampling.DEFAULT.withTemperature(0.8f).withMaxTokens(50).withSeed(seed);
    return new GenerateWorkload(
        new GenerateWorkload.Plan(
            name,
            new Chosen(ModelName.of(model).toString(), file, ""),
            GeneratorOptions.DEFAULT.withWorkers(workers),
            new Prompts.MadeUp(3, 32),
            sampling,
            new Amount(sampling.maxTokens(), 1, 0, warmUp, Pace.unbounded(System::nanoTime))));
  }
}
