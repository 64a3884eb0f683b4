package dev.ridgeline.model.generate;

import java.util.Locale;

/** Who speaks in a conversation. */
public enum Role {
  SYSTEM,
  USER,
  ASSISTANT;

  /** As templates spell it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
