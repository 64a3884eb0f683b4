package dev.ridgeline.report.run;

import dev.ridgeline.report.FileException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that are there whole or not at all: written under another name, then renamed. */
public final class WholeFile {
  /** Names that begin so are unfinished, and nobody's business. */
  static final String TEMPORARY = ".tmp-";

  private WholeFile() {}

  /** What goes into a file. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /** Writes a file or, with a {@link FileException}, leaves what was there before. */
  public static void write(Path file, Content content) {
    Path unfinished =
        file.toAbsolutePath()
            .resolveSibling(TEMPORARY + UUID.randomUUID() + "-" + file.getFileName());
    try {
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(
                  unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
        content.write(out);
      }
      move(unfinished, file);
    } catch (IOException e) {
      discard(unfinished);
      throw FileException.of(file, e);
    } catch (RuntimeException | Error e) {
      discard(unfinished);
      throw e;
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // What stopped the writing is the news, not what stops the tidying.
    }
  }
}
