package dev.ridgeline.train.json;

import dev.ridgeline.tensor.Printable;

/** A value that a key cannot have; {@link Fields#made} adds file and line. */
public final class WrongValueException extends IllegalArgumentException {
  private final String key;
  private final String reason;

  public WrongValueException(String key, String reason) {
    super(Printable.line(key + ": " + reason));
    this.key = key;
    this.reason = reason;
  }

  /** The key within its own object. */
  public String key() {
    return key;
  }

  /** What is wrong, without the key. */
  public String reason() {
    return reason;
  }
}
