package dev.ridgeline.agent.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Tells whoever started the agent what became of it, line by line in a file: {@code refused WHY},
 * {@code recording}, {@code run DIRECTORY}.
 *
 * @param file where to, or null when nobody listens
 */
record Answer(Path file) {
  static final Answer NOBODY = new Answer(null);

  void refused(String why) {
    tell("refused " + why);
  }

  void recording() {
    tell("recording");
  }

  void note(String text) {
    tell("note " + text);
  }

  void run(Path directory) {
    tell("run " + directory);
  }

  private void tell(String line) {
    if (file == null) return;
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      // Whoever listened is gone.
    }
  }
}
