package dev.ridgeline.cli.ab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A variable in the environment by which everything that a trial starts is known, also what the
 * trial put into the background and left: that is nobody's child any more.
 *
 * @param entry name and value, as they are in an environment
 */
record Mark(String entry) {
  private static final String NAME = "RIDGELINE_TRIAL";
  private static final Path PROCESSES = Path.of("/proc");
  private static final AtomicInteger LAST = new AtomicInteger();

  /** One that no other trial bears; all are of one length, because that may be measured. */
  static Mark next() {
    long session = ProcessHandle.current().pid();
    return new Mark("%s=%d-%07d".formatted(NAME, session, LAST.incrementAndGet()));
  }

  void on(Map<String, String> environment) {
    environment.put(NAME, entry.substring(NAME.length() + 1));
  }

  /** Processes that bear it; none where a system does not show their environment. */
  List<ProcessHandle> bearers() {
    List<ProcessHandle> bearers = new ArrayList<>();
    try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        if (!isOn(process.resolve("environ"))) continue;
        long id = Long.parseLong(process.getFileName().toString());
        ProcessHandle.of(id).ifPresent(bearers::add);
      }
    } catch (IOException | DirectoryIteratorException _) {
      // Then only what is still a child of the trial can be found.
    }
    return bearers;
  }

  private boolean isOn(Path environment) {
    try {
      String all = new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1);
      return ("\0" + all).contains("\0" + entry + "\0");
    } catch (IOException _) {
      // It has just ended, or is somebody else's.
      return false;
    }
  }
}
