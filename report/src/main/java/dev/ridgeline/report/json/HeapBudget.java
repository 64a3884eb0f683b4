package dev.ridgeline.report.json;

import dev.ridgeline.profiler.file.FileException;

/** How much heap one file may take: a refusal in one line instead of an OutOfMemoryError. */
final class HeapBudget {
  private final String source;
  private long left;

  HeapBudget(String source, long bytes) {
    this.source = source;
    this.left = bytes;
  }

  void spend(long bytes) {
    left -= bytes;
    if (left < 0) {
      throw new FileException(source, "needs more memory than this JVM may use (raise -Xmx)");
    }
  }
}
