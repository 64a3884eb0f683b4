package dev.ridgeline.agent.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Tells whoever started the agent what became of it, line by line in a file: {@code refused WHY},
 * {@code recording}, {@code ending}, {@code run DIRECTORY}.
 *
 * @param file where to, or null when nobody listens
 */
record Answer(Path file) {

  /** Whether somebody could be told. */
  boolean refused(String why) {
    return tell("refused " + why);
  }

  void recording() {
    tell("recording");
  }

  /** The program is ending: what follows is our work alone. */
  void ending() {
    tell("ending");
  }

  void note(String text) {
    tell("note " + text);
  }

  void run(Path directory) {
    tell("run " + directory);
  }

  private boolean tell(String line) {
    if (file == null) return false;
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
      return true;
    } catch (IOException e) {
      // Whoever listened is gone.
      return false;
    }
  }
}
