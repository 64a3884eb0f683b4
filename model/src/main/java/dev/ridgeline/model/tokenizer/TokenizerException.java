package dev.ridgeline.model.tokenizer;

import java.nio.file.Path;

/** A tokenizer's file that cannot be read; the message is one line, the path and the reason. */
public final class TokenizerException extends RuntimeException {
  public TokenizerException(Path path, String reason) {
    this(path, reason, null);
  }

  public TokenizerException(Path path, String reason, Throwable cause) {
    super(printable(path + ": " + reason), cause);
  }

  /** Names come out of files: a damaged one must not break the line, nor fill the screen. */
  private static String printable(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 500 ? line : line.substring(0, 500) + "…";
  }
}
