package dev.ridgeline.report.run;

import dev.ridgeline.report.FileException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that are there whole or not at all: written under another name, then renamed. */
public final class WholeFile {
  /** Names that begin so are unfinished, and nobody's business. */
  static final String TEMPORARY = ".tmp-";

  /** As many as Linux follows. */
  private static final int MOST_LINKS = 40;

  private WholeFile() {}

  /** What goes into a file. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /**
   * Writes a file or, with a {@link FileException}, leaves what was there before. A link stays one,
   * the file behind it is written; into a device or a pipe it goes as it comes.
   */
  public static void write(Path file, Content content) {
    try {
      boolean special = Files.exists(file) && !Files.isRegularFile(file);
      if (special) stream(file, content, StandardOpenOption.WRITE);
      else replace(behindLinks(file.toAbsolutePath()), content);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  private static void stream(Path file, Content content, OpenOption... how) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file, how))) {
      content.write(out);
    }
  }

  /** The file that links lead to, whether or not it is there already. */
  private static Path behindLinks(Path file) throws IOException {
    for (int links = 0; Files.isSymbolicLink(file); links++) {
      if (links == MOST_LINKS) throw new FileSystemLoopException(file.toString());
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    return file;
  }

  private static void replace(Path file, Content content) throws IOException {
    Path unfinished = file.resolveSibling(TEMPORARY + UUID.randomUUID() + "-" + file.getFileName());
    try {
      stream(unfinished, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      move(unfinished, file);
    } catch (IOException | RuntimeException | Error e) {
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
