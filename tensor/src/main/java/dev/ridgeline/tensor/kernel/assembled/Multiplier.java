package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.kernel.Multiplication;

/** Products with matrices of one type, on one core; see {@code Kernels} for what each one means. */
interface Multiplier {
  /** The one for products of a precision. */
  default Multiplier as(Precision precision) {
    return this;
  }

  long packedBytes(int outputs, int inputs);

  boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo);

  /** See {@code Kernels.sharedBytes}. */
  default long sharedBytes(int inputs) {
    return 0;
  }

  /** See {@code Kernels.share}. */
  default void share(Multiplication product, int rowFrom, int rowTo) {}

  /** See {@code Kernels.widens}. */
  default boolean widens() {
    return false;
  }

  void multiply(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch);
}
