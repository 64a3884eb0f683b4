package dev.ridgeline.model.generate;

/** Why a text ended. */
public enum Finish {
  /** The model ended it. */
  END("the model ended it"),
  /** A stop string came. */
  STOP("a stop string"),
  /** As many tokens as were asked for. */
  LENGTH("as many tokens as asked for"),
  /** The context is full. */
  CONTEXT("the context is full"),
  /** Somebody wanted no more. */
  CANCELLED("cancelled");

  private final String words;

  Finish(String words) {
    this.words = words;
  }

  /** In a few words, for people. */
  public String words() {
    return words;
  }
}
