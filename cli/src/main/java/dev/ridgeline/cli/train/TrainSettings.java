package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import dev.ridgeline.train.data.DataFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The options that training has, under the profiler and without. */
final class TrainSettings {
  static final Setting<Path> CONFIG =
      Setting.path("-c, --config FILE", "Model, data and training: see docs/train.md.");
  static final Setting<Path> OUT =
      Setting.path(
          "--out DIR",
          "Folder for model, journal and checkpoints (default: trained/NAME, the"
              + " configuration's).");
  static final Setting<Boolean> RESUME =
      Setting.flag("--resume", "Continue from the newest checkpoint in that folder.");
  static final Setting<Strategy> STRATEGY =
      Setting.choice(
          "--strategy HOW",
          Strategy.class,
          "Instead of the configuration's: fine or packed splits each operation over the workers,"
              + " coarse spreads shards of a batch, auto is coarse where a batch has several; all"
              + " give the same bits.");

  private TrainSettings() {}

  /** The configuration that was given. */
  static TrainConfig config(Settings settings) {
    Path file = settings.read(CONFIG);
    if (file == null) {
      throw new Problem("no configuration: give -c FILE; --list-configs lists examples");
    }
    return read(file, settings);
  }

  /** A configuration whose texts are there, as options want it. */
  static TrainConfig read(Path file, Settings settings) {
    TrainConfig config = TrainConfigFile.read(file);
    for (String pattern : config.data().files()) {
      try {
        DataFiles.find(config.folder(), List.of(pattern));
      } catch (TrainException e) {
        throw new Problem(
            "%s:%d: data.files: %s (examples/README.md says where the texts of the examples come from)"
                .formatted(file, lineOf(pattern, file), e.getMessage()),
            e);
      }
    }
    Strategy strategy = settings.read(STRATEGY);
    if (strategy == null) return config;
    return config.withStrategy(strategy);
  }

  /** The line of a file that names this, the first where none does so in plain letters. */
  private static int lineOf(String name, Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains('"' + name + '"')) return i + 1;
      }
      return 1;
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /** Where a training is kept. */
  static Path folder(Settings settings, TrainConfig config) {
    Path given = settings.read(OUT);
    return given == null ? Path.of("trained", config.name()) : given;
  }
}
