package dev.ridgeline.tensor.kernel;

import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;

/**
 * Rows times a matrix, as {@link Kernels#matmul} is told of it: {@code out[r][o] = bias[o] + Σ
 * x[r][i] · w[o][i]}.
 *
 * <p>Filled by one thread before others read it, and filled again for the next product.
 */
public final class Multiplication {
  /** What a family that makes bytes of x heeds: how many digits of them count. */
  public Precision precision = Precision.USUAL;

  public TensorType type;

  /** What {@link Kernels#pack} wrote. */
  public long packed;

  public int outputs;
  public int inputs;
  public long x;
  public int xStride;

  /** Where {@link Kernels#share} puts what it makes of the rows, or 0: then each thread does. */
  public long shared;

  /** Where the outputs' biases are, or 0. */
  public long bias;

  public long out;
  public int outStride;

  /** Sets the matrix. */
  public Multiplication matrix(
      Precision wanted, TensorType matrixType, long at, int matrixOutputs, int matrixInputs) {
    precision = wanted;
    type = matrixType;
    packed = at;
    outputs = matrixOutputs;
    inputs = matrixInputs;
    return this;
  }

  /** Sets the rows. */
  public Multiplication rows(long at, int stride) {
    x = at;
    xStride = stride;
    shared = 0;
    return this;
  }

  /** Sets where sums begin, and where they go. */
  public Multiplication to(long biasOrZero, long at, int stride) {
    bias = biasOrZero;
    out = at;
    outStride = stride;
    return this;
  }
}
