package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;

/** Attention in the Vector API: products with keys or values as weights. */
final class VectorAttention implements AttentionKernels {
  @Override
  public void scores(
      long q,
      int qStride,
      int queries,
      long k,
      int kStride,
      int keys,
      int width,
      float scale,
      long out,
      int outStride) {
    Scratch scratch = Scratch.own();
    Product.multiply(
        scratch,
        scratch.keys.of(k, kStride, keys, width, scale),
        q,
        qStride,
        0,
        queries,
        0,
        (keys + PANEL - 1) / PANEL,
        0,
        out,
        outStride);
  }

  @Override
  public void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    long lanes = Scratch.own().lanes;
    for (int i = 0; i < rows; i++) {
      long row = x + 4L * stride * i;
      long query = (long) firstQuery + i;
      int from = (int) Math.clamp(query - before, 0, (long) keys);
      int to = (int) Math.clamp(query + after + 1, from, (long) keys);
      Softmax.zero(row, from);
      Softmax.row(row + 4L * from, to - from, lanes);
      Softmax.zero(row + 4L * to, keys - to);
    }
  }

  @Override
  public void mix(
      long p,
      int pStride,
      int queries,
      long v,
      int vStride,
      int keys,
      int width,
      long out,
      int outStride) {
    Scratch scratch = Scratch.own();
    Product.multiply(
        scratch,
        scratch.values.of(v, vStride, keys, width),
        p,
        pStride,
        0,
        queries,
        0,
        (width + PANEL - 1) / PANEL,
        0,
        out,
        outStride);
  }

  @Override
  public void across(
      long a,
      int aStride,
      int columns,
      long b,
      int bStride,
      int rows,
      int width,
      long out,
      int outStride,
      boolean add) {
    MatrixGradient.multiply(
        a, 4L * aStride, columns, b, 4L * bStride, rows, width, out, 4L * outStride, add);
  }

  @Override
  public void pageScores(
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
      int outStride) {
    Scratch.own()
        .paged
        .of(type, keys, pageBytes, pages, firstPage, tokens, width)
        .scores(q, 4L * qStride, queries, heads, scale, out, 4L * outStride);
  }

  @Override
  public void pageMix(
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
      int outStride) {
    Scratch.own()
        .paged
        .of(type, values, pageBytes, pages, firstPage, tokens, width)
        .mix(p, 4L * pStride, queries, heads, out, 4L * outStride);
  }
}
