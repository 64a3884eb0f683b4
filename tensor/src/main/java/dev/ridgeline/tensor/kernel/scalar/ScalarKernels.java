package dev.ridgeline.tensor.kernel.scalar;

import static dev.ridgeline.tensor.Device.PAGE;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Every operation as its formula has it, one number after the other, with sums in double.
 *
 * <p>A matrix is packed as the file has it, of whatever type, and a row of it is decoded when its
 * output is computed: it takes no more memory than the file and needs no code per type.
 */
public final class ScalarKernels implements Kernels {
  private static final MemorySegment ALL = Memory.ALL;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private static final GradKernels GRAD = new ScalarGradKernels();

  /** Means smaller than that are 0: numbers below it are slow, and never grow again. */
  private static final float LEAST = Float.MIN_NORMAL;

  /** A decoded row of a matrix; grows to the longest. */
  private static final ThreadLocal<Row> ROW = ThreadLocal.withInitial(Row::new);

  private static final class Row {
    private MemorySegment memory = MemorySegment.NULL;

    long address(int numbers) {
      if (memory.byteSize() < 4L * numbers) {
        memory = Arena.ofAuto().allocate(4L * numbers, Memory.ALIGNMENT);
      }
      return memory.address();
    }
  }

  @Override
  public String description() {
    return "scalar";
  }

  @Override
  public GradKernels grad() {
    return GRAD;
  }

  private static float at(long address, long index) {
    return ALL.get(FLOAT, address + 4 * index);
  }

  private static void put(long address, long index, double value) {
    ALL.set(FLOAT, address + 4 * index, (float) value);
  }

  // Matrices.

  @Override
  public long packedBytes(TensorType type, int outputs, int inputs) {
    return Math.multiplyExact(type.bytes(inputs), (long) outputs);
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
    long bytes = type.bytes(inputs);
    long from = bytes * panelFrom * PANEL;
    long to = bytes * Math.min((long) panelTo * PANEL, outputs);
    MemorySegment.copy(ALL, rows + from, ALL, packed + from, to - from);
    return true;
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    TensorType type = product.type;
    int inputs = product.inputs;
    long bytes = type.bytes(inputs);
    long decoded = type == TensorType.F32 ? 0 : ROW.get().address(inputs);
    int last = (int) Math.min((long) panelTo * PANEL, product.outputs);
    for (int o = panelFrom * PANEL; o < last; o++) {
      long weights = product.packed + bytes * o;
      if (type != TensorType.F32) {
        dequantize(type, weights, inputs, decoded);
        weights = decoded;
      }
      double start = product.bias == 0 ? 0 : at(product.bias, o);
      for (int r = rowFrom; r < rowTo; r++) {
        long row = product.x + 4L * product.xStride * r;
        double sum = start;
        for (int i = 0; i < inputs; i++) sum += (double) at(row, i) * at(weights, i);
        put(product.out + 4L * product.outStride * r, o, sum);
      }
    }
  }

  @Override
  public void dequantize(TensorType type, long row, int count, long out) {
    Quantizer.dequantize(type, row, count, out);
  }

  // Rows.

  @Override
  public void add(long a, long b, long out, long count) {
    for (long i = 0; i < count; i++) put(out, i, at(a, i) + at(b, i));
  }

  @Override
  public void multiply(long a, long b, long out, long count) {
    for (long i = 0; i < count; i++) put(out, i, at(a, i) * at(b, i));
  }

  @Override
  public void scale(long a, float factor, long out, long count) {
    for (long i = 0; i < count; i++) put(out, i, at(a, i) * factor);
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
    for (int r = rowFrom; r < rowTo; r++) {
      long from = x + 4L * xStride * r;
      long to = out + 4L * outStride * r;
      if (y != 0) {
        add(from, y + 4L * yStride * r, to, width);
        from = to;
      }
      double sum = 0;
      for (int i = 0; i < width; i++) sum += at(from, i);
      double mean = sum / width;
      double squares = 0;
      for (int i = 0; i < width; i++) {
        double off = at(from, i) - mean;
        squares += off * off;
      }
      double factor = 1 / Math.sqrt(squares / width + epsilon);
      for (int i = 0; i < width; i++) {
        put(to, i, (at(from, i) - mean) * factor * at(weight, i) + at(bias, i));
      }
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
    for (int r = rowFrom; r < rowTo; r++) {
      long from = x + 4L * xStride * r;
      long to = out + 4L * outStride * r;
      double squares = 0;
      for (int i = 0; i < width; i++) squares += (double) at(from, i) * at(from, i);
      double factor = 1 / Math.sqrt(squares / width + epsilon);
      for (int i = 0; i < width; i++) put(to, i, at(from, i) * factor * at(weight, i));
    }
  }

  @Override
  public void gelu(long x, long out, long count) {
    for (long i = 0; i < count; i++) {
      double a = at(x, i);
      put(out, i, share(a, Normal.below(a)));
    }
  }

  @Override
  public void geglu(long gate, long up, long out, long count) {
    for (long i = 0; i < count; i++) put(out, i, geluTanh(at(gate, i)) * at(up, i));
  }

  @Override
  public void geluTanh(long x, long out, long count) {
    for (long i = 0; i < count; i++) put(out, i, geluTanh(at(x, i)));
  }

  private static double geluTanh(double a) {
    double root = Math.sqrt(2 / Math.PI);
    return share(a, 0.5 * (1 + StrictMath.tanh(root * (a + 0.044715 * a * a * a))));
  }

  /** {@code a · part}, and its limit 0 where a is −∞ and so the part is 0. */
  private static double share(double a, double part) {
    return part == 0 ? 0 : a * part;
  }

  @Override
  public void swiglu(long gate, long up, long out, long count) {
    for (long i = 0; i < count; i++) {
      double a = at(gate, i);
      put(out, i, share(a, 1 / (1 + StrictMath.exp(-a))) * at(up, i));
    }
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
    int half = turned / 2;
    int step = pairing == Pairing.HALVES ? 1 : 2;
    int apart = pairing == Pairing.HALVES ? half : 1;
    for (int r = rowFrom; r < rowTo; r++) {
      long turn = angles + 4L * turned * ALL.get(INT, positions + 4L * r);
      for (int h = 0; h < heads; h++) {
        long head = x + 4L * stride * r + 4L * width * h;
        for (int j = 0; j < half; j++) {
          int first = step * j;
          double a = at(head, first);
          double b = at(head, first + apart);
          double cos = at(turn, j);
          double sin = at(turn, j + half);
          put(head, first, a * cos - b * sin);
          put(head, first + apart, a * sin + b * cos);
        }
      }
    }
  }

  // Attention.

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
    for (int i = 0; i < queries; i++) {
      long query = q + 4L * qStride * i;
      for (int j = 0; j < keys; j++) {
        long key = k + 4L * kStride * j;
        double sum = 0;
        for (int c = 0; c < width; c++) sum += (double) at(query, c) * at(key, c);
        put(out + 4L * outStride * i, j, sum * scale);
      }
    }
  }

  @Override
  public void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    for (int i = 0; i < rows; i++) {
      long row = x + 4L * stride * i;
      int query = firstQuery + i;
      int from = Math.max(0, query - before);
      int to = (int) Math.min(keys, (long) query + after + 1);
      float max = Float.NEGATIVE_INFINITY;
      for (int j = from; j < to; j++) max = Math.max(max, at(row, j));
      // Nothing but −∞ is nothing: −∞ less −∞ would be NaN.
      boolean nothing = max == Float.NEGATIVE_INFINITY;
      double sum = 0;
      for (int j = from; j < to; j++) sum += StrictMath.exp((double) at(row, j) - max);
      for (int j = 0; j < keys; j++) {
        boolean seen = j >= from && j < to && !nothing;
        put(row, j, seen ? StrictMath.exp((double) at(row, j) - max) / sum : 0);
      }
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
    for (int i = 0; i < queries; i++) {
      for (int c = 0; c < width; c++) {
        double sum = 0;
        for (int j = 0; j < keys; j++) {
          sum += (double) at(p + 4L * pStride * i, j) * at(v + 4L * vStride * j, c);
        }
        put(out + 4L * outStride * i, c, sum);
      }
    }
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
    for (int c = 0; c < columns; c++) {
      long to = out + 4L * outStride * c;
      for (int k = 0; k < width; k++) {
        double sum = add ? at(to, k) : 0;
        for (int r = 0; r < rows; r++) {
          sum += (double) at(a + 4L * aStride * r, c) * at(b + 4L * bStride * r, k);
        }
        put(to, k, sum);
      }
    }
  }

  @Override
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    int last = (int) Math.min((long) panelTo * PANEL, columns);
    for (int c = panelFrom * PANEL; c < last; c++) {
      for (int r = 0; r < count; r++)
        put(packed + 4L * count * c, r, at(rows + 4L * columns * r, c));
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
    for (int r = 0; r < queries * heads; r++) {
      long query = q + 4L * qStride * (r / heads) + 4L * width * (r % heads);
      for (int j = 0; j < tokens; j++) {
        long page = keys + pageBytes * pages[firstPage + j / PAGE];
        double sum = 0;
        for (int c = 0; c < width; c++) {
          sum += (double) at(query, c) * cached(type, page, (long) PAGE * c + j % PAGE);
        }
        put(out + 4L * outStride * r, j, sum * scale);
      }
    }
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
    for (int r = 0; r < queries * heads; r++) {
      long weights = p + 4L * pStride * r;
      long to = out + 4L * outStride * (r / heads) + 4L * width * (r % heads);
      for (int c = 0; c < width; c++) {
        double sum = 0;
        for (int j = 0; j < tokens; j++) {
          long page = values + pageBytes * pages[firstPage + j / PAGE];
          sum += (double) at(weights, j) * cached(type, page, (long) width * (j % PAGE) + c);
        }
        put(to, c, sum);
      }
    }
  }

  private static float cached(TensorType type, long page, long index) {
    if (type == TensorType.F32) return at(page, index);
    return Float.float16ToFloat(ALL.get(ValueLayout.JAVA_SHORT, page + 2 * index));
  }

  // Pooling.

  @Override
  public void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out) {
    for (int c = 0; c < width; c++) {
      double sum = 0;
      for (int r = rowFrom; r < rowTo; r++) sum += at(x + 4L * xStride * r, c);
      put(out, c, sum / (rowTo - rowFrom));
    }
  }

  @Override
  public void normalize(long x, int width, long out) {
    double squares = 0;
    for (int i = 0; i < width; i++) squares += (double) at(x, i) * at(x, i);
    double factor = squares == 0 ? 0 : 1 / Math.sqrt(squares);
    for (int i = 0; i < width; i++) put(out, i, at(x, i) * factor);
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
    for (long i = 0; i < count; i++) {
      double d = (double) at(g, i) * factor;
      double mean = (double) at(m, i) * beta1 + d * rest1;
      double squares = (double) at(v, i) * beta2 + d * d * rest2;
      put(m, i, Math.abs(mean) < LEAST ? 0 : mean);
      put(v, i, squares < LEAST ? 0 : squares);
      double step = rate * at(m, i) / (root * Math.sqrt(at(v, i)) + epsilon);
      put(p, i, (double) at(p, i) * keep - step);
    }
  }
}
