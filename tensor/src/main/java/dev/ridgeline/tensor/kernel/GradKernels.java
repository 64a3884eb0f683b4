package dev.ridgeline.tensor.kernel;

import dev.ridgeline.tensor.Activation;

/**
 * One family's implementation of every gradient, on one core.
 *
 * <p>The rules of {@link Kernels} hold. Sums over rows are added row by row in their order, so they
 * depend neither on where rows are cut nor on the columns beside them.
 */
public interface GradKernels {
  /**
   * The gradient of {@link RowKernels#norm} by its rows.
   *
   * @param centered whether the norm had a bias, and so brought the mean to 0
   * @param add whether it is added to what dx is
   * @param stats two numbers per row: becomes its mean, or 0, and what it was multiplied by after
   *     that
   */
  void norm(
      long dx,
      int dxStride,
      long dy,
      int dyStride,
      long x,
      int xStride,
      long weight,
      float epsilon,
      boolean centered,
      boolean add,
      long stats,
      int statsStride,
      int width,
      int rowFrom,
      int rowTo);

  /**
   * The gradient of a norm by its weight and bias, for some columns, of some rows: {@code dWeight =
   * Σ dy · (x − mean) · scale}, {@code dBias = Σ dy}.
   *
   * @param stats of the rows, as the norm left them
   * @param dBias or 0
   * @param add whether rows are added to what dWeight and dBias are
   */
  void normWeight(
      long dWeight,
      long dBias,
      long dy,
      int dyStride,
      long x,
      int xStride,
      long stats,
      int statsStride,
      boolean add,
      int rowFrom,
      int rowTo,
      int columnFrom,
      int columnTo);

  /**
   * Of {@link RowKernels#apply}; dx may be dy or x, dUp may be up.
   *
   * @param dUp 0 where up is
   */
  void apply(Activation activation, long dx, long dUp, long dy, long x, long up, long count);

  /** Adds each row of dy to that row of the table that its id says, for some columns. */
  void rows(
      long dTable,
      int tableStride,
      long dy,
      int dyStride,
      long ids,
      int rows,
      int columnFrom,
      int columnTo);

  /**
   * Of {@link AttentionKernels#softmax} and the scale before it: {@code dp = scale · p · (dp − Σ p
   * · dp)}, row by row.
   */
  void softmax(long dp, long p, int stride, int rows, int keys, float scale);

  /**
   * The loss of each row, {@code −log softmax(logits)[target]}; logits become {@code (softmax −
   * onehot) · factor}.
   *
   * @param targets one i32 per row; −1 where loss and gradient are to be 0
   */
  void crossEntropy(
      long losses,
      int lossStride,
      long logits,
      int stride,
      long targets,
      int width,
      float factor,
      int rowFrom,
      int rowTo);

  /** Σ x² of a few thousand numbers. */
  double sumOfSquares(long x, int count);

  /** Σ x of a few thousand numbers. */
  double sum(long x, int count);

  /** Numbers as bf16, the nearest, of two that are equally near the even one. */
  void round(long halves, long x, long count);

  /** And back. */
  void widen(long x, long halves, long count);

  /** All become 0. */
  void zero(long x, long count);
}
