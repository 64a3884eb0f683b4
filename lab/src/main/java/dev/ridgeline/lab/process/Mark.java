package dev.ridgeline.lab.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A variable in the environment by which everything that a trial starts is known, also what the
 * trial put into the background and left: that is nobody's child any more.
 *
 * @param entry name and value, as they are in an environment
 * @param since when nobody had it yet
 */
record Mark(String entry, Instant since) {
  private static final String NAME = "RIDGELINE_TRIAL";
  private static final Path PROCESSES = Path.of("/proc");

  /** Milliseconds to wait at most for the environment of a process that has none. */
  private static final int LOOKS = 100;

  private static final AtomicInteger LAST = new AtomicInteger();

  /** One that no other trial bears; all are of one length, because that may be measured. */
  static Mark next() {
    long session = ProcessHandle.current().pid();
    String entry = "%s=%d-%07d".formatted(NAME, session, LAST.incrementAndGet());
    return new Mark(entry, Instant.now());
  }

  void on(Map<String, String> environment) {
    environment.put(NAME, entry.substring(NAME.length() + 1));
  }

  /** Processes that bear it; none where a system does not show their environment. */
  List<ProcessHandle> bearers() {
    List<ProcessHandle> bearers = new ArrayList<>();
    List<Path> unknown = new ArrayList<>();
    try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) look(process, bearers, unknown);
      for (int i = 0; i < LOOKS && !unknown.isEmpty(); i++) {
        Thread.sleep(1);
        List<Path> again = unknown;
        unknown = new ArrayList<>();
        for (Path process : again) look(process, bearers, unknown);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException | DirectoryIteratorException _) {
      // Then only what is still a child of the trial can be found.
    }
    return bearers;
  }

  /**
   * Where a process that bears it goes. One that is about to become another program has no
   * environment for a moment, nor has one of the kernel; only the first has a program.
   */
  private void look(Path process, List<ProcessHandle> bearers, List<Path> unknown) {
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("environ"));
      if (bytes.length == 0 && young(process)) unknown.add(process);
      String all = new String(bytes, StandardCharsets.ISO_8859_1);
      if (("\0" + all).contains("\0" + entry + "\0")) handle(process).ifPresent(bearers::add);
    } catch (IOException _) {
      // It has just ended, or is somebody else's.
    }
  }

  private boolean young(Path process) throws IOException {
    Files.readSymbolicLink(process.resolve("exe"));
    return handle(process)
        .flatMap(each -> each.info().startInstant())
        .filter(began -> began.isAfter(since.minusSeconds(10)))
        .isPresent();
  }

  private static Optional<ProcessHandle> handle(Path process) {
    return ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
  }
}
