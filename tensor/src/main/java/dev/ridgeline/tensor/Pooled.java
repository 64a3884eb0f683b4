package dev.ridgeline.tensor;

/** Which row stands for a text. */
public enum Pooled {
  /** The mean of its rows. */
  MEAN,
  FIRST,
  LAST
}
