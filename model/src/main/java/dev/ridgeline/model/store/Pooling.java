package dev.ridgeline.model.store;

/** How a model's authors make one vector of those of all tokens. */
public enum Pooling {
  MEAN,
  /** The vector of the first token. */
  CLS
}
