package dev.ridgeline.model.shape;

import dev.ridgeline.tensor.Printable;

/** What is wrong with a model's file or with what was asked of it, in one line for its user. */
public class ModelException extends RuntimeException {
  public ModelException(String message) {
    super(Printable.line(message));
  }

  public ModelException(String message, Throwable cause) {
    super(Printable.line(message), cause);
  }
}
