package dev.ridgeline.model.imports;

import dev.ridgeline.tensor.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A model that cannot be imported; the message is one line, the path and the reason. */
public final class ImportException extends RuntimeException {
  public ImportException(Path path, String reason) {
    this(path, reason, null);
  }

  public ImportException(Path path, String reason, Throwable cause) {
    super(Printable.line(path + ": " + reason), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  static ImportException of(Path path, IOException cause) {
    String reason =
        switch (cause) {
          case NoSuchFileException _ -> "no such file";
          case AccessDeniedException _ -> "permission denied";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    return new ImportException(path, reason, cause);
  }

  /** Refuses what is there and is no file: a pipe would be waited for. */
  static void refuseAllButFiles(Path path) {
    if (Files.isDirectory(path)) throw new ImportException(path, "is a folder");
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new ImportException(path, "is not a regular file");
    }
  }
}
