package dev.ridgeline.lab.process;

/**
 * A process did not start, failed, or left what cannot be read; the message says so in one line.
 */
public final class ProcessException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ProcessException(String message) {
    super(message);
  }

  public ProcessException(String message, Throwable cause) {
    super(message, cause);
  }
}
