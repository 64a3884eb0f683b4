package dev.ridgeline.cli.train;

import dev.ridgeline.cli.embed.Corpus;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload.Amount;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.train.config.TrainConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The door of this package: the workload that the options ask for. */
public final class Train {
  private static final Setting<Preset> PRESET =
      Setting.choice(
          "--preset NAME",
          Preset.class,
          "Instead of -c: small (the default), smallmind (50 steps, batch 32, hidden 256) or"
              + " matmul-backward (gradients of 128×256 @ 256×128).");
  private static final Setting<Integer> STEPS =
      Setting.number(
          "--steps N",
          "Measure rounds of N steps, each from the beginning, and keep no model; -c alone trains"
              + " all steps and keeps the model.");
  private static final Setting<Integer> ITERATIONS =
      Setting.number("--iterations N", "Number of measured rounds (default: 5; smallmind 3).");

  private static final int BUNDLED = 1_024;

  /** Steps of a round of a configuration of one's own. */
  private static final int USUAL_STEPS = 10;

  private static final int USUAL_ROUNDS = 5;

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "train",
          "",
          "Trains a small model, or the one of a configuration, step by step.",
          List.of(
              TrainSettings.CONFIG,
              PRESET,
              STEPS,
              ITERATIONS,
              TrainSettings.OUT,
              TrainSettings.RESUME,
              TrainSettings.STRATEGY,
              ModelOptions.DEVICE,
              ModelOptions.WORKERS,
              RunOptions.FOR,
              RunOptions.WARM_UP),
          RunOptions.FOR.name(),
          List.of(ITERATIONS.name()),
          Train::from);

  /** Who gives one of them says how much to do; else the time decides. */
  private static final List<Setting<?>> LENGTHS =
      List.of(TrainSettings.CONFIG, PRESET, STEPS, ITERATIONS, RunOptions.FOR, RunOptions.WARM_UP);

  private Train() {}

  private static Workload from(Settings settings, List<String> words, Progress progress)
      throws IOException {
    if (!words.isEmpty()) throw new Problem("unexpected argument '" + words.getFirst() + "'");
    Preset preset = settings.read(PRESET);
    Path file = settings.read(TrainSettings.CONFIG);
    if (file != null && preset != null) throw new Problem("-c or --preset, not both");
    boolean measured =
        file == null
            || settings.given(STEPS)
            || settings.given(ITERATIONS)
            || settings.given(RunOptions.FOR);
    if (measured) refuseToKeep(settings);
    return measured
        ? measured(settings, file, file == null && preset == null ? Preset.SMALL : preset, progress)
        : whole(settings, progress);
  }

  private static void refuseToKeep(Settings settings) {
    for (Setting<?> each : List.of(TrainSettings.OUT, TrainSettings.RESUME)) {
      if (settings.given(each)) {
        throw new Problem(
            "%s: rounds of steps are measured and nothing is kept; -c alone trains"
                .formatted(each.name()));
      }
    }
  }

  /** All that a configuration says, kept as {@code train} does. */
  private static Workload whole(Settings settings, Progress progress) {
    TrainConfig config = TrainSettings.config(settings);
    TrainWorkload.Plan plan =
        new TrainWorkload.Plan(
            settings.read(TrainSettings.CONFIG),
            config,
            TrainSettings.folder(settings, config),
            true,
            settings.read(TrainSettings.RESUME),
            ModelOptions.device(settings),
            new Amount(0, 1, 0, RunOptions.warmUp(settings), Pace.unbounded(System::nanoTime)));
    progress.step("reading " + String.join(", ", config.data().files()));
    return new TrainWorkload(plan, progress);
  }

  private static Workload measured(Settings settings, Path file, Preset preset, Progress progress)
      throws IOException {
    DeviceChoice device = ModelOptions.device(settings);
    double seconds = RunOptions.seconds(settings);
    int steps = positive(settings, STEPS, preset == null ? USUAL_STEPS : preset.steps);
    int rounds =
        seconds > 0
            ? 1
            : positive(settings, ITERATIONS, preset == null ? USUAL_ROUNDS : preset.rounds);
    Pace pace = Pace.unlessGiven(settings, LENGTHS);
    Amount amount = new Amount(steps, rounds, seconds, RunOptions.warmUp(settings), pace);
    if (preset == Preset.MATMUL_BACKWARD) {
      if (settings.given(TrainSettings.STRATEGY)) {
        throw new Problem("--strategy: a product alone is always fine");
      }
      return new BackwardWorkload(device.workers(), amount);
    }
    Path folder = Files.createTempDirectory("ridgeline-train-");
    try {
      Path read = file == null ? write(folder, preset) : file;
      TrainConfig config = TrainSettings.read(read, settings);
      progress.step("reading " + String.join(", ", config.data().files()));
      return new TrainWorkload(
          new TrainWorkload.Plan(
              file == null ? Path.of(preset.toString()) : file,
              config,
              folder,
              false,
              false,
              device,
              amount),
          progress);
    } catch (IOException | RuntimeException | Error e) {
      TrainWorkload.delete(folder);
      throw e;
    }
  }

  private static int positive(Settings settings, Setting<Integer> setting, int usual) {
    return settings.read(setting) == null ? usual : settings.positive(setting);
  }

  private static Path write(Path folder, Preset preset) throws IOException {
    String texts = String.join("\n", Corpus.texts(BUNDLED)) + "\n";
    Files.writeString(folder.resolve("texts.txt"), texts);
    return Files.writeString(folder.resolve(preset + ".json"), preset.config);
  }
}
