package dev.ridgeline.model;

/** What is wrong with a model's file or with what was asked of it, in one line for its user. */
public sealed class ModelException extends RuntimeException permits MemoryException, TextException {
  public ModelException(String message) {
    super(message);
  }

  public ModelException(String message, Throwable cause) {
    super(message, cause);
  }
}
