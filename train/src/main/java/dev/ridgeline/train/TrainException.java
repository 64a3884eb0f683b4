package dev.ridgeline.train;

import dev.ridgeline.tensor.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** What stops a training, in one line for its user that names the file and the place in it. */
public final class TrainException extends RuntimeException {
  public TrainException(String message) {
    this(message, null);
  }

  /** A file and what is wrong with it. */
  public TrainException(Path file, String what) {
    this(file, what, null);
  }

  public TrainException(Path file, String what, Throwable cause) {
    this(file + ": " + what, cause);
  }

  private TrainException(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  public static TrainException of(Path file, IOException cause) {
    String what =
        switch (cause) {
          case NoSuchFileException _ -> "no such file or directory";
          case AccessDeniedException _ -> "permission denied";
          case NotDirectoryException _ -> "not a directory";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    return new TrainException(file, what, cause);
  }
}
