package dev.ridgeline.tensor.kernel.assembled;

/** Assembled code cannot run here; the message says why in words that complete "because". */
public final class CodeRefused extends RuntimeException {
  CodeRefused(String reason) {
    super(reason);
  }

  CodeRefused(String reason, Throwable cause) {
    super(reason, cause);
  }
}
