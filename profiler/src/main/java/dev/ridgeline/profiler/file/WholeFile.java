package dev.ridgeline.profiler.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.Set;
import java.util.UUID;

/** Files that are there whole or not at all: written under another name, then renamed. */
public final class WholeFile {
  /** Names that begin so are unfinished, and nobody's business. */
  public static final String TEMPORARY = ".tmp-";

  /** As many as Linux follows. */
  private static final int MOST_LINKS = 40;

  private static final Set<PosixFilePermission> WRITING =
      Set.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private WholeFile() {}

  /** What goes into a file. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /** What makes a file under a name that it is given. */
  @FunctionalInterface
  public interface Making {
    void make(Path unfinished) throws IOException;
  }

  /**
   * Writes a file or, with a {@link FileException}, leaves what was there before; so does a process
   * that is ended meanwhile. A link stays one, the file behind it is written and keeps its mode;
   * into a device or a pipe it goes as it comes.
   */
  public static void write(Path file, Content content) {
    try {
      boolean special = Files.exists(file) && !Files.isRegularFile(file);
      if (special) stream(file, content, StandardOpenOption.WRITE);
      else make(file, unfinished -> stream(unfinished, content));
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  /** The same in a folder that is made where it is not there. */
  public static void writeInFolder(Path file, Content content) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw FileException.of(file.getParent(), e);
    }
    write(file, content);
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

  /** Makes a file by its name, whole or not at all: {@link #write} for what wants a path. */
  public static void make(Path file, Making making) {
    try {
      replace(behindLinks(file.toAbsolutePath()), making);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  private static void replace(Path file, Making making) throws IOException {
    Set<PosixFilePermission> mode = mode(file);
    Path unfinished = file.resolveSibling(TEMPORARY + UUID.randomUUID() + "-" + file.getFileName());
    try (var _ = Interruption.tidies(() -> discard(unfinished))) {
      if (mode != null) Files.setPosixFilePermissions(Files.createFile(unfinished), mode);
      making.make(unfinished);
      move(unfinished, file);
    } finally {
      discard(unfinished); // which is there no more, if all went well
    }
  }

  /**
   * The mode of a file that is to be replaced, or null where there is none. Renaming would get
   * around it: a file that is protected from its owner must stop even who may write everything.
   */
  private static Set<PosixFilePermission> mode(Path file) throws IOException {
    if (!Files.exists(file)) return null;
    var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    Set<PosixFilePermission> mode = view == null ? null : view.readAttributes().permissions();
    boolean locked = mode != null && Collections.disjoint(mode, WRITING);
    if (locked || !Files.isWritable(file)) throw new AccessDeniedException(file.toString());
    return mode;
  }

  /** Gives a finished file the name it is to have, in place of what has it. */
  public static void move(Path from, Path to) throws IOException {
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
