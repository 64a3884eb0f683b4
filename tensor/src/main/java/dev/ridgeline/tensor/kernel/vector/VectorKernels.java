package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.quant.Quantizer;

/** Every operation in the Vector API: see the package for the rules. */
public final class VectorKernels implements Kernels {
  private static final GradKernels GRAD = new VectorGradKernels();

  /** Numbers of f32 in a vector. */
  public static int lanes() {
    return Lanes.COUNT;
  }

  @Override
  public String description() {
    return "vector, %d lanes of f32 (%d-bit)".formatted(Lanes.COUNT, 32 * Lanes.COUNT);
  }

  @Override
  public GradKernels grad() {
    return GRAD;
  }

  @Override
  public long packedBytes(TensorType type, int outputs, int inputs) {
    return Packing.bytes(type, outputs, inputs);
  }

  @Override
  public boolean pack(
      TensorType type,
      long rows,
      int outputs,
      int inputs,
      long packed,
      int panelFrom,
      int panelTo) {
    Packing.pack(type, rows, outputs, inputs, packed, panelFrom, panelTo);
    return true;
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    Scratch scratch = Scratch.own();
    Product.multiply(
        scratch,
        scratch.matrix.of(product.type, product.packed, product.outputs, product.inputs),
        product.x,
        product.xStride,
        rowFrom,
        rowTo,
        panelFrom,
        panelTo,
        product.bias,
        product.out,
        product.outStride);
  }

  @Override
  public void dequantize(TensorType type, long row, int count, long out) {
    Quantizer.dequantize(type, row, count, out);
  }

  @Override
  public void add(long a, long b, long out, long count) {
    Elements.add(a, b, out, count);
  }

  @Override
  public void multiply(long a, long b, long out, long count) {
    Elements.multiply(a, b, out, count);
  }

  @Override
  public void scale(long a, float factor, long out, long count) {
    Elements.scale(a, factor, out, count);
  }

  @Override
  public void layerNorm(
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
      int rowTo) {
    long lanes = Scratch.own().lanes;
    for (int row = rowFrom; row < rowTo; row++) {
      long from = x + 4L * xStride * row;
      long to = out + 4L * outStride * row;
      if (y != 0) {
        add(from, y + 4L * yStride * row, to, width);
        from = to;
      }
      Norms.layer(from, weight, bias, epsilon, to, width, lanes);
    }
  }

  @Override
  public void rmsNorm(
      long x,
      int xStride,
      long weight,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo) {
    long lanes = Scratch.own().lanes;
    for (int row = rowFrom; row < rowTo; row++) {
      long from = x + 4L * xStride * row;
      Norms.rootMeanSquare(from, weight, epsilon, out + 4L * outStride * row, width, lanes);
    }
  }

  @Override
  public void gelu(long x, long out, long count) {
    Activations.gelu(x, out, count);
  }

  @Override
  public void geglu(long gate, long up, long out, long count) {
    Activations.geglu(gate, up, out, count);
  }

  @Override
  public void geluTanh(long x, long out, long count) {
    Activations.geluTanh(x, out, count);
  }

  @Override
  public void swiglu(long gate, long up, long out, long count) {
    Activations.swiglu(gate, up, out, count);
  }

  @Override
  public void rope(
      long x,
      int stride,
      int heads,
      int width,
      int turned,
      Pairing pairing,
      long angles,
      long positions,
      int rowFrom,
      int rowTo) {
    for (int row = rowFrom; row < rowTo; row++) {
      int position = ALL.get(Lanes.INT, positions + 4L * row);
      for (int head = 0; head < heads; head++) {
        long at = x + 4L * stride * row + 4L * head * width;
        long turn = angles + 4L * turned * position;
        if (pairing == Pairing.HALVES) Rope.halves(at, turned / 2, turn);
        else Rope.neighbours(at, turned / 2, turn);
      }
    }
  }

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
    Across.multiply(
        a, 4L * aStride, columns, b, 4L * bStride, rows, width, out, 4L * outStride, add);
  }

  @Override
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    for (int panel = panelFrom; panel < panelTo; panel++) {
      long from = rows + 4L * PANEL * panel;
      long to = packed + 4L * PANEL * count * panel;
      int numbers = Math.min(PANEL, columns - panel * PANEL);
      for (int row = 0; row < count; row++) {
        Lanes.copy(from + 4L * columns * row, to + 4L * PANEL * row, numbers);
      }
    }
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

  @Override
  public void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out) {
    Elements.mean(x + 4L * xStride * rowFrom, 4L * xStride, rowTo - rowFrom, width, out);
  }

  @Override
  public void normalize(long x, int width, long out) {
    Norms.length(x, width, out);
  }

  @Override
  public void adamW(
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
      float epsilon) {
    Adam.step(p, g, m, v, count, factor, beta1, rest1, beta2, rest2, keep, rate, root, epsilon);
  }
}
