package dev.ridgeline.model.store;

import java.util.Locale;

/** What a model is for. */
public enum Use {
  /** Texts into vectors. */
  EMBED("embeddings"),
  /** Prompts into texts. */
  GENERATE("text");

  private final String result;

  Use(String result) {
    this.result = result;
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
