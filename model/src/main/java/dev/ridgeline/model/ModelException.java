package dev.ridgeline.model;

import dev.ridgeline.tensor.Printable;

/** What is wrong with a model's file or with what was asked of it, in one line for its user. */
public sealed class ModelException extends RuntimeException permits MemoryException, TextException {
  public ModelException(String message) {
    super(Printable.line(message));
  }

  public ModelException(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }
}
