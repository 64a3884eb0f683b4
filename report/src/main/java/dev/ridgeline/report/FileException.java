package dev.ridgeline.report;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** A file that cannot be read, understood or written, told in one line that names it. */
public final class FileException extends RuntimeException {
  private static final int LONGEST = 400;

  /** A file and what is wrong with it. */
  public FileException(Object file, String what) {
    this(file, what, null);
  }

  private FileException(Object file, String what, Throwable cause) {
    super(oneLine(file + ": " + what), cause);
  }

  /** Says in words what the system said by the type of its exception. */
  public static FileException of(Path file, IOException cause) {
    String what =
        switch (cause) {
          case NoSuchFileException _ -> "no such file or directory";
          case AccessDeniedException _ -> "permission denied";
          case NotDirectoryException _ -> "not a directory";
          case FileAlreadyExistsException _ -> "already exists and is not a directory";
          case FileSystemException e when e.getReason() != null -> e.getReason();
          default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    return new FileException(file, what, cause);
  }

  /** What a file holds goes into its message, so that nothing in a file may forge a second line. */
  private static String oneLine(String message) {
    String line = message.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
