package dev.ridgeline.cli.line;

import dev.ridgeline.lab.process.ProcessException;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.model.MemoryException;
import dev.ridgeline.model.TextException;
import dev.ridgeline.model.imports.ImportException;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.store.StoreException;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Something the user can mend: told in one line on standard error, exit code 2. */
public final class Problem extends RuntimeException {
  public Problem(String message) {
    super(message);
  }

  public Problem(String message, Throwable cause) {
    super(message, cause);
  }

  /** The same failure in words: the JDK's messages often hold only the file's name. */
  public static Problem of(IOException failure) {
    return new Problem(
        switch (failure) {
          case NoSuchFileException e -> "no such file: " + e.getFile();
          case AccessDeniedException e -> "no permission: " + e.getFile();
          case NotDirectoryException e -> "not a directory: " + e.getFile();
          case FileAlreadyExistsException e -> "exists already: " + e.getFile();
          case DirectoryNotEmptyException e -> "directory is not empty: " + e.getFile();
          case FileSystemException e when e.getReason() != null ->
              e.getReason() + ": " + e.getFile();
          default ->
              failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage();
        },
        failure);
  }

  /** What to type against what is wrong with a text, behind the words for that. */
  public static String remedy(TextException e) {
    return e.kind() == TextException.Kind.TOO_LONG ? "; --truncate cuts it" : "";
  }

  private static String remedy(MemoryException e) {
    return e.adjustable() ? "; a smaller --context or --batch needs less" : "";
  }

  /** The problem behind a failure, or null when the failure is a defect of the program. */
  public static Problem behind(Throwable failure) {
    long heap = Runtime.getRuntime().maxMemory();
    return switch (failure) {
      case Problem problem -> problem;
      case UncheckedIOException e -> of(e.getCause());
      case IOException e -> of(e);
      case TextException e -> new Problem(e.getMessage() + remedy(e), e);
      case MemoryException e -> new Problem(e.getMessage() + remedy(e), e);
      case FileException _,
          Runner.Failed _,
          ProcessException _,
          ModelException _,
          StoreException _,
          GgufException _,
          KernelException _,
          ImportException _,
          TrainException _ ->
          new Problem(failure.getMessage(), failure);
      // What malloc answers: no -Xmx mends it.
      case OutOfMemoryError e
          when String.valueOf(e.getMessage()).startsWith("Unable to allocate") ->
          new Problem(
              "out of memory outside the heap (%s); a smaller --context or --batch needs less"
                  .formatted(e.getMessage()),
              e);
      case OutOfMemoryError e ->
          new Problem(
              "out of memory (%s) with a heap of at most %s; give more: RIDGELINE_JVM_OPTS=-Xmx%dm"
                  .formatted(e.getMessage(), Quantity.bytes(heap), heap >> 19),
              e);
      // What the JVM makes of SIGBUS in mapped memory.
      case InternalError e when String.valueOf(e.getMessage()).contains("unsafe memory access") ->
          new Problem("a file was cut short, or its disk failed, while it was read", e);
      default -> null;
    };
  }
}
