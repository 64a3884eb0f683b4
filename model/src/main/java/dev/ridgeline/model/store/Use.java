package dev.ridgeline.model.store;

import java.util.Locale;

/** What a model is for. */
public enum Use {
  /** Texts into vectors. */
  EMBED("embeddings"),
  /** Prompts into texts. */
  GENERATE("text"),
  /** Turns of a conversation into answers. */
  CHAT("answers");

  private final String result;

  Use(String result) {
    this.result = result;
  }

  /** Whether a model that is for this can be used for something; what answers also writes on. */
  boolean serves(Use wanted) {
    return this == wanted || this == CHAT && wanted == GENERATE;
  }

  /** What comes of it: {@code embeddings}. */
  String result() {
    return result;
  }

  /** The command that does it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
