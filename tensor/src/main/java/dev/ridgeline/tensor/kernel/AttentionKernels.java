package dev.ridgeline.tensor.kernel;

import dev.ridgeline.tensor.TensorType;

/** Attention, and the products of rows with rows that it is made of; see {@link Kernels}. */
public interface AttentionKernels {
  // One head of one sequence.

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

  // The pages of a cache: heads that share one key head, for some queries of one sequence. Row r is
  // head r % heads of query r / heads. Tokens are those of the pages in the table from firstPage
  // on; the last page may be incomplete.

  /**
   * {@code out[r][j] = scale · q[r] · key[j]}; what follows the last token, up to a whole page, is
   * undefined.
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
   * @param values the key head in page 0: {@code [32 tokens][width]}; {@link Kernels#MARGIN} bytes
   *     after the last page may be read
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
}
