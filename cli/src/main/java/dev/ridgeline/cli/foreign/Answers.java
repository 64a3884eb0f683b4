package dev.ridgeline.cli.foreign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the agent tells, line by line, in a file made for one request. */
final class Answers implements AutoCloseable {
  private final Path file;

  Answers() {
    try {
      file = Files.createTempFile("ridgeline-", ".answer");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return file;
  }

  /** Why the agent did not record, or null. */
  String refused() {
    return all("refused ").stream().findFirst().orElse(null);
  }

  /** Whether it recorded at all. */
  boolean recording() {
    return lines().contains("recording");
  }

  /** Whether a program is ending and its recording with it. */
  boolean ending() {
    return lines().contains("ending");
  }

  List<String> notes() {
    return all("note ");
  }

  /** The runs that were kept: several, when the program started others like itself. */
  List<Path> runs() {
    return all("run ").stream().map(Path::of).toList();
  }

  /** Whether nothing more could be told: there is no room for it. */
  boolean full() {
    try {
      return Files.getFileStore(file).getUsableSpace() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  private List<String> all(String kind) {
    return lines().stream()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()))
        .toList();
  }

  private List<String> lines() {
    try {
      String text = Files.readString(file);
      // A line without its end is still being written.
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // A temporary file more.
    }
  }
}
