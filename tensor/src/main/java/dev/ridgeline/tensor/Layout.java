package dev.ridgeline.tensor;

/** How a tensor lies in its device's memory, which decides what it may be used for. */
public enum Layout {
  /** Row after row, as stored: activations, and tables that rows are looked up in. */
  ROWS,
  /** Packed for {@link Ops#matmul}: a row per output. */
  MATRIX,
  /** One row of f32: weights and biases of norms, biases of matrices. */
  VECTOR,
  /** Pages of a cache, {@code [head][width][32 tokens]}: keys, side by side as scores read them. */
  KEYS,
  /** Pages of a cache, {@code [head][32 tokens][width]}: values. */
  VALUES
}
