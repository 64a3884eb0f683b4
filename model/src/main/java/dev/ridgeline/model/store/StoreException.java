package dev.ridgeline.model.store;

import dev.ridgeline.tensor.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** A model that cannot be had, told in one line that says what a user can do about it. */
public final class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(Printable.line(message));
  }

  public StoreException(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  static StoreException of(Path file, IOException cause) {
    String what =
        switch (cause) {
          case NoSuchFileException _ -> "no such file or directory";
          case AccessDeniedException _ -> "permission denied";
          case NotDirectoryException _ -> "not a directory";
          case FileAlreadyExistsException _ -> "already exists and is not a directory";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    return new StoreException(file + ": " + what, cause);
  }
}
