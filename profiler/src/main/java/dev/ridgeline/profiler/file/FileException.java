package dev.ridgeline.profiler.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** A file that cannot be read, understood or written, told in one line that names it. */
public final class FileException extends RuntimeException {
  /** A file and what is wrong with it. */
  public FileException(Object file, String what) {
    this(file, what, null);
  }

  private FileException(Object file, String what, Throwable cause) {
    super(OneLine.of(file + ": " + what), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  public static FileException of(Path file, IOException cause) {
    String what =
        switch (cause) {
          case NoSuchFileException _ -> "no such file or directory";
          case AccessDeniedException _ -> "permission denied";
          case FileSystemLoopException _ -> "a symbolic link that leads to itself";
          case NotDirectoryException _ -> "not a directory";
          case FileAlreadyExistsException _ -> "already exists and is not a directory";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    return new FileException(file, what, cause);
  }
}
