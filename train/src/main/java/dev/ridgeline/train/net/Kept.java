package dev.ridgeline.train.net;

/** What is kept of a layer's forward for its backward. */
public enum Kept {
  /** Every activation. */
  ALL,

  /** The same, rounded to bf16 but for the last layer's: half of the memory, other bits. */
  HALVES,

  /** What went into it; the rest is computed again: a third more work for less memory still. */
  INPUTS
}
