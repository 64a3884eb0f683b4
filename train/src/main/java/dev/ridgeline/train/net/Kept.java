package dev.ridgeline.train.net;

/** What is kept of a layer's forward pass for its backward pass. */
public enum Kept {
  /** Every activation. */
  ALL,

  /** Every activation, rounded to bf16 except in the last layer: half the memory, other bits. */
  HALVES,

  /** Only the input; the rest is computed again: a third more work, the least memory. */
  INPUTS
}
