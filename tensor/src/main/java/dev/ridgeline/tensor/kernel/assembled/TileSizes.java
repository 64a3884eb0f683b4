package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.TensorType;

/** How large the pieces of a product are. They make it faster or slower and change no result. */
public interface TileSizes {
  /** Rows of a tile with weights of a type; as many as registers allow where nobody chose. */
  int rows(TensorType type);

  /** Rows that meet a panel of floats before the next panel does. */
  int floatBlock();

  /** Inputs over which rows and panels of floats are read before they are changed. */
  int floatDepth();

  /** Bytes of quantized or rounded rows held at a time. */
  int quantizedBytes();
}
