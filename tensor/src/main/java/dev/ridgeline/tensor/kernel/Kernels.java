package dev.ridgeline.tensor.kernel;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;

/**
 * One family's implementation of every operation, on one core.
 *
 * <p>Addresses are those of {@link dev.ridgeline.tensor.Memory#ALL}; activations are f32, strides
 * count numbers. Ranges let the caller split work over threads. The caller has checked every bound.
 *
 * <p>Results depend on nothing but the numbers of their own row: not on the ranges, the rows next
 * to it, the thread, or whether the code is compiled yet. So every sum has one fixed order, and
 * lanes are added in a fixed order after the loop.
 *
 * <p>Every family treats infinities and NaN alike:
 *
 * <ul>
 *   <li>add, multiply, scale, mean, rope, scores and mix follow IEEE 754 term by term. No term is
 *       left out: a value of ∞ with weight 0 makes a mix NaN.
 *   <li>matmul gives NaN for a row with a NaN, and ±∞ or NaN for a row with an infinity, in every
 *       output. This holds for rows that are quantized first too: their scale is not finite then.
 *       Other rows are not affected.
 *   <li>norm turns the whole row into NaN.
 *   <li>norm without a bias, and normalize, turn an infinity into NaN and the rest of its row into
 *       0. A NaN turns the whole row into NaN.
 *   <li>Activations have their limits: 0 of −∞, ∞ of ∞, and NaN of NaN. That is multiplied by up.
 *   <li>softmax gives 0 for −∞, and zeros for a row that sees nothing but −∞. A NaN or +∞ turns
 *       everything that its row sees into NaN.
 *   <li>Gradients of numbers that are not finite are not specified.
 * </ul>
 */
public interface Kernels {
  /**
   * The system property that asks for a family: {@code scalar}, {@code vector} or {@code
   * assembled}.
   */
  String PROPERTY = "ridgeline.kernels";

  /** Outputs of a matrix that are packed side by side. */
  int PANEL = 32;

  /** Bytes after the pages of a cache that may be read. */
  int MARGIN = 4 * PANEL;

  /** What it is and why it was chosen: {@code vector, 16 lanes of f32 (AVX-512)}. */
  String description();

  RowKernels rows();

  AttentionKernels attention();

  /** What it trains with. */
  GradKernels grad();

  // Matrices.

  /** What {@link #pack} writes for a matrix, padded to whole panels. */
  long packedBytes(TensorType type, int outputs, int inputs);

  /**
   * Packs rows as a file has them (one per output) into the layout that {@link #matmul} reads.
   * Panels are independent.
   *
   * @return false where a scale is infinite or NaN and products would hide it
   */
  boolean pack(
      TensorType type, long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo);

  /**
   * Packs the transpose of a matrix of f32 into the layout that {@link #matmul} reads: an output
   * per column of it.
   *
   * @param rows as a file has them
   * @param panelFrom of columns
   */
  void packTransposed(long rows, int count, int columns, long packed, int panelFrom, int panelTo);

  /**
   * Rows times a matrix, for rows and panels in range.
   *
   * @param epoch a number that is another once any number of the rows may have changed, so that
   *     what a thread has made of them need not be made again; 0 when nobody knows
   */
  void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch);

  /** The same of one matrix alone. */
  default void matmul(
      TensorType type,
      long packed,
      int outputs,
      int inputs,
      long x,
      int xStride,
      int rowFrom,
      int rowTo,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      int outStride) {
    matmul(
        new Multiplication()
            .matrix(Precision.USUAL, type, packed, outputs, inputs)
            .rows(x, xStride)
            .to(bias, out, outStride),
        rowFrom,
        rowTo,
        panelFrom,
        panelTo,
        0);
  }

  /** What {@link #share} makes of a row of the product; 0 where each thread has to do it itself. */
  default long sharedBytes(Multiplication product) {
    return 0;
  }

  /**
   * Makes of rows, once for all threads, what {@link #matmul} then reads in their place; nothing
   * where {@link #sharedBytes} is 0.
   */
  default void share(Multiplication product, int rowFrom, int rowTo) {}

  /** Whether {@link #matmul} rearranges a panel before rows meet it: better many than few. */
  default boolean widens(TensorType type) {
    return false;
  }

  /** Whether {@link #matmul} makes bytes of x, and counts with whole numbers. */
  default boolean integer(TensorType type) {
    return false;
  }

  /** The arithmetic that {@link #matmul} spends its time in, which is what it is measured by. */
  default Arithmetic form(TensorType type, int rows) {
    return Arithmetic.F32;
  }
}
