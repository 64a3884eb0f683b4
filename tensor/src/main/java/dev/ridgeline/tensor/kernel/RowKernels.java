package dev.ridgeline.tensor.kernel;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;

/** Operations on numbers or rows that are independent of each other; see {@link Kernels}. */
public interface RowKernels {
  /** {@code out = a + b}; out may be either. */
  void add(long a, long b, long out, long count);

  /** {@code out = a · b}; out may be either. */
  void multiply(long a, long b, long out, long count);

  /** {@code out = a · factor}; out may be a. */
  void scale(long a, float factor, long out, long count);

  /**
   * {@code out = activation(x)}, times up where there is one; out may be x or up.
   *
   * @param up or 0
   */
  void apply(Activation activation, long x, long up, long out, long count);

  /**
   * Brings rows to mean 0 and variance 1, then applies weight and bias; without a bias, brings them
   * to root mean square 1, then applies weight. out may be x or y.
   *
   * @param y rows that are added first, which takes a bias; or 0
   * @param bias or 0
   */
  void norm(
      long x,
      int xStride,
      long y,
      int yStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo);

  /**
   * Turns pairs of the first numbers of each head by the angle of the row's position; the gradient
   * of that turns them back.
   *
   * @param width numbers of a head
   * @param turned how many of them turn
   * @param angles per position {@code turned/2} cosines, then {@code turned/2} sines
   * @param positions one i32 per row
   */
  void rope(
      long x,
      int stride,
      int heads,
      int width,
      int turned,
      Pairing pairing,
      boolean back,
      long angles,
      long positions,
      int rowFrom,
      int rowTo);

  /** The mean of some rows. */
  void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out);

  /** Length 1; a row of zeros stays one. */
  void normalize(long x, int width, long out);

  /**
   * A step of AdamW: {@code g·factor} goes into the means, {@code p = keep·p − rate·m / (root·√v +
   * epsilon)}.
   */
  void adamW(long p, long g, long m, long v, long count, AdamRates rates);
}
