package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Configurations to begin with: those in {@code examples}, beside the launcher. */
final class Examples {
  private static final String FOLDER = "examples";

  private Examples() {}

  /** Their files, by name. */
  static List<Path> files() {
    Path folder = folder();
    if (folder == null) return List.of();
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /** The launcher's folder is a few above the program's own. */
  private static Path folder() {
    try {
      var source = Examples.class.getProtectionDomain().getCodeSource();
      Path above = source == null ? null : Path.of(source.getLocation().toURI());
      for (int i = 0; i < 4 && above != null; i++) {
        above = above.getParent();
        if (above != null && Files.exists(above.resolve("ridgeline"))) {
          Path folder = above.resolve(FOLDER);
          return Files.isDirectory(folder) ? folder : null;
        }
      }
      return null;
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** What one trains, in a line. */
  static String words(Path file) {
    try {
      TrainConfig config = TrainConfigFile.read(file);
      String model =
          switch (config.model()) {
            case ModelConfig.Fresh it ->
                "%s, %d layers of %d".formatted(it.shape().word(), it.layers(), it.dim());
            case ModelConfig.Continued it -> it.file() + ", continued";
          };
      String length =
          config.steps() > 0
              ? "%,d steps".formatted(config.steps())
              : "%s epochs".formatted(config.epochs());
      return "%s · %s of %,d × %,d tokens · %s"
          .formatted(
              model,
              length,
              config.batch(),
              config.length(),
              String.join(", ", config.data().files()));
    } catch (TrainException e) {
      return e.getMessage();
    }
  }
}
