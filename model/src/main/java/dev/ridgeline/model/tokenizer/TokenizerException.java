package dev.ridgeline.model.tokenizer;

import dev.ridgeline.tensor.Printable;
import java.nio.file.Path;

/** A tokenizer's file that cannot be read; the message is one line, the path and the reason. */
public final class TokenizerException extends RuntimeException {
  public TokenizerException(Path path, String reason) {
    this(path, reason, null);
  }

  public TokenizerException(Path path, String reason, Throwable cause) {
    super(Printable.line(path + ": " + reason), cause);
  }
}
