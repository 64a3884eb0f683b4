package dev.ridgeline.cli.line;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a command writes to, and where it must not. */
public final class OutputFile {
  /** Whether a file that is there may be replaced. */
  public static final Setting<Boolean> FORCE =
      Setting.flag("--force", "Replace the output file if it exists.");

  private OutputFile() {}

  /** What a model worked on for long is replaced only where that was said. */
  public static void refuseToReplace(Path output, Settings settings) {
    boolean force = settings.read(FORCE);
    if (output != null && Files.isRegularFile(output) && !force) {
      throw new Problem(output + ": exists already; --force replaces it");
    }
  }

  /** What is read is worth more than what is made of it, which can be made again. */
  public static void refuseToReplace(Path read, Path output) throws IOException {
    if (read == null || output == null || !Files.exists(output)) return;
    if (Files.isRegularFile(read) && Files.isSameFile(read, output)) {
      throw new Problem("--output %s: is read, and would be replaced".formatted(output));
    }
  }
}
