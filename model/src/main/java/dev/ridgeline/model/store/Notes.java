package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

/** A few words about a file that are kept next to it. */
final class Notes {
  private Notes() {}

  static Properties read(Path file) throws IOException {
    Properties notes = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      notes.load(in);
    }
    return notes;
  }

  /** Writes all of them or nothing. */
  static void write(Path file, Map<String, String> notes) throws IOException {
    Properties properties = new Properties();
    properties.putAll(notes);
    Path unfinished = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    try {
      try (var out = Files.newBufferedWriter(unfinished)) {
        properties.store(out, null);
      }
      Tree.move(unfinished, file);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }
}
