package dev.ridgeline.tensor;

/**
 * Kernels were asked for that do not exist or cannot run here, or for what they cannot do; the
 * message says which and why.
 */
public final class KernelException extends IllegalArgumentException {
  public KernelException(String message) {
    super(Printable.line(message));
  }
}
