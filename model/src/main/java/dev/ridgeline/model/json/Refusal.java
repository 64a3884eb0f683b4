package dev.ridgeline.model.json;

import java.nio.file.Path;

/** What is thrown because of a file: the constructor of an exception. */
@FunctionalInterface
public interface Refusal {
  /**
   * @param causeOrNull what the reader said
   */
  RuntimeException of(Path file, String reason, Throwable causeOrNull);
}
