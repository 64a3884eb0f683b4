package dev.ridgeline.bench.shapes;

/** A kernel's result is not what it should be. */
final class Wrong extends RuntimeException {
  Wrong(String message) {
    super(message);
  }
}
