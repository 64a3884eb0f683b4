package dev.ridgeline.model.store;

import java.util.Locale;

/** What a model is for. */
public enum Use {
  /** Texts into vectors. */
  EMBED,
  /** Prompts into texts. */
  GENERATE;

  /** The command that does it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
