package dev.ridgeline.model.store;

import dev.ridgeline.model.imports.ImportException;
import dev.ridgeline.tensor.Printable;
import java.io.IOException;
import java.nio.file.Path;

/** A model that cannot be had, told in one line that says what a user can do about it. */
public final class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(Printable.line(message));
  }

  public StoreException(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }

  static StoreException of(Path file, IOException cause) {
    return new StoreException(file + ": " + ImportException.reason(cause), cause);
  }
}
