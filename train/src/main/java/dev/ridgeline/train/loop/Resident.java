package dev.ridgeline.train.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of the process. */
final class Resident {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String KEY = "VmRSS:";

  private Resident() {}

  /** Resident bytes, or the heap in use where the system does not report them. */
  static long bytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (!line.startsWith(KEY)) continue;
        return 1024 * Long.parseLong(line.substring(KEY.length()).replace("kB", "").strip());
      }
    } catch (IOException | NumberFormatException _) {
      // Not Linux.
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
