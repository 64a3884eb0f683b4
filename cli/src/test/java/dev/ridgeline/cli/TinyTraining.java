package dev.ridgeline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A training that takes no time, and its texts. */
final class TinyTraining {
  private TinyTraining() {}

  /** Writes configuration and texts into a folder; answers the former. */
  static Path write(Path folder, int steps) throws IOException {
    return write(folder, steps, "");
  }

  /**
   * The same.
   *
   * @param more keys, each with a comma before it
   */
  static Path write(Path folder, int steps, String more) throws IOException {
    Files.writeString(
        folder.resolve("texts.txt"), "the quick brown fox and the lazy dog\n".repeat(20));
    return Files.writeString(
        folder.resolve("tiny.json"),
        """
        {
          "model": {"shape": "llama", "dim": 16, "layers": 1, "heads": 2, "context": 16},
          "data": {"files": "texts.txt"},
          "batch": 4, "shards": 4, "steps": %d,
          "evaluate": {"every": 4}, "checkpoint": {"every": 3},
          "sample": {"every": 5, "prompt": "the", "tokens": 4}
          %s
        }
        """
            .formatted(steps, more));
  }
}
