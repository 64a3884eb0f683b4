package dev.ridgeline.model;

import dev.ridgeline.model.shape.ModelException;
import java.nio.file.Path;
import java.util.Map;

/** A model that needs more memory than the machine, or the container, could ever give. */
public final class MemoryException extends ModelException {
  private final boolean adjustable;

  /**
   * @param account bytes by owner
   * @param adjustable whether other options would make do with less
   */
  MemoryException(
      Path model, Map<String, Long> account, long needed, long most, boolean adjustable) {
    super(
        "%s needs %s of memory outside the heap (%s), and %s can be had here"
            .formatted(model, words(needed), owners(account), words(most)));
    this.adjustable = adjustable;
  }

  private static String owners(Map<String, Long> account) {
    return account.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(2)
        .map(entry -> entry.getKey() + " " + words(entry.getValue()))
        .reduce((a, b) -> a + ", " + b)
        .orElse("");
  }

  private static String words(long bytes) {
    return "%,d MiB".formatted(Math.ceilDiv(bytes, 1L << 20));
  }

  /** Whether a smaller context or fewer sequences would make do with less. */
  public boolean adjustable() {
    return adjustable;
  }
}
