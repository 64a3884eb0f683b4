package dev.ridgeline.tensor;

/** What a model wants of products with a matrix; each device has its own ways to give it. */
public enum Precision {
  /** Speed above all: errors of this product are evened out later. */
  COARSE,
  USUAL,
  /** The digits of what the matrix meets, which go into the result as they are. */
  FINE
}
