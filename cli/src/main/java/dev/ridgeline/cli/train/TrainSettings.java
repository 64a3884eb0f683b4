package dev.ridgeline.cli.train;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import java.nio.file.Path;

/** The options that training has, under the profiler and without. */
final class TrainSettings {
  static final Setting<Path> CONFIG =
      Setting.path("--config", "FILE", null, "What is trained, on what and how: docs/train.md.")
          .orShort("-c");
  static final Setting<Path> OUT =
      Setting.path(
          "--out",
          "DIR",
          null,
          "Folder for model, journal and checkpoints (default: trained/NAME, the"
              + " configuration's).");
  static final Setting<Boolean> RESUME =
      Setting.flag("--resume", "Go on from the newest checkpoint in that folder.");
  static final Setting<Strategy> STRATEGY =
      Setting.choice(
          "--strategy",
          Strategy.class,
          "HOW",
          null,
          "Instead of the configuration's: fine or packed splits each operation over the workers,"
              + " coarse spreads shards of a batch, auto chooses; all give the same bits.");

  private TrainSettings() {}

  /** The configuration that was given. */
  static TrainConfig config(Settings settings) {
    Path file = settings.read(CONFIG);
    if (file == null) {
      throw new Problem("which training? -c FILE; --list-configs lists some to begin with");
    }
    return adjusted(TrainConfigFile.read(file), settings);
  }

  /** A configuration, as options want it. */
  static TrainConfig adjusted(TrainConfig config, Settings settings) {
    Strategy strategy = settings.read(STRATEGY);
    if (strategy == null) return config;
    return config.withStrategy(strategy);
  }

  /** Where a training is kept. */
  static Path folder(Settings settings, TrainConfig config) {
    Path given = settings.read(OUT);
    return given == null ? Path.of("trained", config.name()) : given;
  }
}
