package dev.ridgeline.model.imports;

import dev.ridgeline.tensor.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** A model that cannot be imported; the message is one line, the path and the reason. */
public final class ImportException extends RuntimeException {
  public ImportException(Path path, String reason) {
    this(path, reason, null);
  }

  public ImportException(Path path, String reason, Throwable cause) {
    super(Printable.line(path + ": " + reason), cause);
  }

  static ImportException of(Path path, IOException cause) {
    return new ImportException(path, reason(cause), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  public static String reason(IOException cause) {
    return switch (cause) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case NotDirectoryException _ -> "not a directory";
      case FileAlreadyExistsException _ -> "already exists and is not a directory";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
    };
  }

  /** Refuses what is there and is no file: a pipe would be waited for. */
  static void refuseAllButFiles(Path path) {
    if (Files.isDirectory(path)) throw new ImportException(path, "is a folder");
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new ImportException(path, "is not a regular file");
    }
  }
}
