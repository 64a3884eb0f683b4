package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.Printable;
import java.nio.file.Path;

/** A GGUF file that cannot be read or written; the message is one line, the path and the reason. */
public final class GgufException extends RuntimeException {
  private final transient Path path;
  private final String reason;

  public GgufException(Path path, String reason) {
    this(path, reason, null);
  }

  public GgufException(Path path, String reason, Throwable cause) {
    super(Printable.line(path + ": " + reason), cause);
    this.path = path;
    this.reason = Printable.line(reason);
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** What is wrong with it, without the path. */
  public String reason() {
    return reason;
  }
}
