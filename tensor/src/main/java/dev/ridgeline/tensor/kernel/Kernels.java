package dev.ridgeline.tensor.kernel;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;

/**
 * One family's implementation of every operation, on one core.
 *
 * <p>Addresses are those of {@link dev.ridgeline.tensor.Memory#ALL}; activations are f32, strides
 * count numbers. Ranges let the caller split work over threads. The caller has checked every bound.
 *
 * <p>Results depend on nothing but the numbers of their own row: not on the ranges, the rows beside
 * it, the thread, or whether the code is compiled yet. So every sum has one fixed order, and lanes
 * are added in a fixed order after the loop.
 *
 * <p>Every family treats infinities and NaN alike:
 *
 * <ul>
 *   <li>add, multiply, scale, mean, rope, scores and mix follow IEEE 754 term by term. No term is
 *       left out: a value of ∞ with weight 0 makes a mix NaN.
 *   <li>matmul gives NaN for a row with a NaN, and ±∞ or NaN for a row with an infinity, in every
 *       output. This holds for rows that are quantized first too: their scale is not finite then.
 *       Other rows are not affected.
 *   <li>layerNorm turns the whole row into NaN.
 *   <li>rmsNorm and normalize turn an infinity into NaN and the rest of its row into 0. A NaN turns
 *       the whole row into NaN.
 *   <li>gelu, geluTanh and silu have their limits: 0 of −∞, ∞ of ∞, and NaN of NaN. geglu and
 *       swiglu multiply that by up.
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

  /** Bytes behind the pages of a cache that may be read, for what they are not. */
  int MARGIN = 4 * PANEL;

  /** What it is and why it was chosen: {@code vector, 16 lanes of f32 (AVX-512)}. */
  String description();

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
            .matrix(Layout.MATRIX, type, packed, outputs, inputs)
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

  /** Numbers of a stored row as f32. */
  void dequantize(TensorType type, long row, int count, long out);

  // Rows.

  /** {@code out = a + b}; out may be either. */
  void add(long a, long b, long out, long count);

  /** {@code out = a · b}; out may be either. */
  void multiply(long a, long b, long out, long count);

  /** {@code out = a · factor}; out may be a. */
  void scale(long a, float factor, long out, long count);

  /**
   * Mean 0, variance 1, then weight and bias; out may be x or y.
   *
   * @param y rows that are added first, or 0
   */
  void layerNorm(
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

  /** Root mean square 1, then weight; out may be x. */
  void rmsNorm(
      long x,
      int xStride,
      long weight,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo);

  /** {@code x · Φ(x)} with the error function; out may be x. */
  void gelu(long x, long out, long count);

  /** {@code gelu_tanh(gate) · up}, the gate of Gemma; out may be either. */
  void geglu(long gate, long up, long out, long count);

  /** {@code gelu_tanh(x)}; out may be x. */
  void geluTanh(long x, long out, long count);

  /** {@code silu(gate) · up}; out may be either. */
  void swiglu(long gate, long up, long out, long count);

  /**
   * Turns pairs of the first numbers of each head by the angle of the row's position.
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
      long angles,
      long positions,
      int rowFrom,
      int rowTo);

  // Attention: one head of one sequence.

  /** {@code out[i][j] = scale · q[i] · k[j]}. */
  void scores(
      long q,
      int qStride,
      int queries,
      long k,
      int kStride,
      int keys,
      int width,
      float scale,
      long out,
      int outStride);

  /**
   * Softmax of each row over the keys it may see, 0 for the others: row i is query {@code
   * firstQuery + i} and sees keys j with {@code −after ≤ query − j ≤ before}.
   */
  void softmax(long x, int stride, int rows, int keys, int firstQuery, int before, int after);

  /** {@code out[i] = Σ p[i][j] · v[j]}. */
  void mix(
      long p,
      int pStride,
      int queries,
      long v,
      int vStride,
      int keys,
      int width,
      long out,
      int outStride);

  // Gradients.

  /**
   * {@code out[c][k] = Σ a[r][c] · b[r][k]} over all rows in order, one fma each: the gradient of a
   * matrix, from that of what it gave and what it was given.
   *
   * @param add whether sums begin with what is in out
   */
  void across(
      long a,
      int aStride,
      int columns,
      long b,
      int bStride,
      int rows,
      int width,
      long out,
      int outStride,
      boolean add);

  /**
   * Packs the transpose of a matrix of f32 into the layout that {@link #matmul} reads: an output
   * per column of it.
   *
   * @param rows as a file has them
   * @param panelFrom of columns
   */
  void packTransposed(long rows, int count, int columns, long packed, int panelFrom, int panelTo);

  // Attention over the pages of a cache: heads that share one key head, for some queries of one
  // sequence. Row r is head r % heads of query r / heads. Tokens are those of the pages in the
  // table from firstPage on; the last page may be begun only.

  /**
   * {@code out[r][j] = scale · q[r] · key[j]}; what is behind the last token, up to a whole page,
   * becomes anything.
   *
   * @param q the first head of the first query; heads lie side by side
   * @param keys the key head in page 0: {@code [width][32 tokens]}
   * @param pageBytes from a page to the next
   * @param out rows with room for whole pages
   */
  void pageScores(
      long q,
      int qStride,
      int queries,
      int heads,
      TensorType type,
      long keys,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      float scale,
      long out,
      int outStride);

  /**
   * {@code out[r] = Σ p[r][j] · value[j]}.
   *
   * @param values the key head in page 0: {@code [32 tokens][width]}; there are {@link #MARGIN}
   *     bytes behind the last page, which may be read
   * @param out the first head of the first query; heads lie side by side
   */
  void pageMix(
      long p,
      int pStride,
      int queries,
      int heads,
      TensorType type,
      long values,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      long out,
      int outStride);

  // Pooling.

  /** The mean of some rows. */
  void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out);

  /** Length 1; a row of zeros stays one. */
  void normalize(long x, int width, long out);

  // The optimizer.

  /**
   * A step of AdamW: {@code g·factor} goes into the means, {@code p = keep·p − rate·m / (root·√v +
   * epsilon)}.
   *
   * @param rest1 {@code 1 − beta1}, to all digits
   * @param rest2 {@code 1 − beta2}, to all digits
   */
  void adamW(
      long p,
      long g,
      long m,
      long v,
      long count,
      float factor,
      float beta1,
      float rest1,
      float beta2,
      float rest2,
      float keep,
      float rate,
      float root,
      float epsilon);
}
