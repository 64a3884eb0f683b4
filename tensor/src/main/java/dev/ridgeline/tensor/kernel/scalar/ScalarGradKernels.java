package dev.ridgeline.tensor.kernel.scalar;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.quant.BrainFloat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Every gradient as its formula has it, one number after the other, in double. */
public final class ScalarGradKernels implements GradKernels {
  private static final MemorySegment ALL = Memory.ALL;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private static float at(long address, long index) {
    return ALL.get(FLOAT, address + 4 * index);
  }

  private static void put(long address, long index, double value) {
    ALL.set(FLOAT, address + 4 * index, (float) value);
  }

  private static int integer(long address, long index) {
    return ALL.get(INT, address + 4 * index);
  }

  // Norms.

  @Override
  public void rmsNorm(
      long dx,
      int dxStride,
      long dy,
      int dyStride,
      long x,
      int xStride,
      long weight,
      float epsilon,
      boolean add,
      long stats,
      int statsStride,
      int width,
      int rowFrom,
      int rowTo) {
    for (int r = rowFrom; r < rowTo; r++) {
      long from = x + 4L * xStride * r;
      double squares = 0;
      for (int i = 0; i < width; i++) squares += (double) at(from, i) * at(from, i);
      double scale = 1 / Math.sqrt(squares / width + epsilon);
      put(stats + 4L * statsStride * r, 0, 0);
      put(stats + 4L * statsStride * r, 1, scale);
      long to = dx + 4L * dxStride * r;
      spread(to, dy + 4L * dyStride * r, from, weight, 0, scale, false, add, width);
    }
  }

  @Override
  public void layerNorm(
      long dx,
      int dxStride,
      long dy,
      int dyStride,
      long x,
      int xStride,
      long weight,
      float epsilon,
      boolean add,
      long stats,
      int statsStride,
      int width,
      int rowFrom,
      int rowTo) {
    for (int r = rowFrom; r < rowTo; r++) {
      long from = x + 4L * xStride * r;
      double sum = 0;
      for (int i = 0; i < width; i++) sum += at(from, i);
      double mean = sum / width;
      double squares = 0;
      for (int i = 0; i < width; i++) {
        double off = at(from, i) - mean;
        squares += off * off;
      }
      double scale = 1 / Math.sqrt(squares / width + epsilon);
      put(stats + 4L * statsStride * r, 0, mean);
      put(stats + 4L * statsStride * r, 1, scale);
      long to = dx + 4L * dxStride * r;
      spread(to, dy + 4L * dyStride * r, from, weight, mean, scale, true, add, width);
    }
  }

  /** With {@code g = dy · weight}: {@code dx = scale · (g − mean(g) − n · mean(g · n))}. */
  private static void spread(
      long dx,
      long dy,
      long x,
      long weight,
      double mean,
      double scale,
      boolean centered,
      boolean add,
      int width) {
    double sum = 0;
    double dot = 0;
    for (int i = 0; i < width; i++) {
      double g = (double) at(dy, i) * at(weight, i);
      sum += g;
      dot += g * (at(x, i) - mean) * scale;
    }
    double less = centered ? sum / width : 0;
    for (int i = 0; i < width; i++) {
      double g = (double) at(dy, i) * at(weight, i);
      double d = scale * (g - less - (at(x, i) - mean) * scale * (dot / width));
      put(dx, i, add ? at(dx, i) + d : d);
    }
  }

  @Override
  public void normWeight(
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
      int columnTo) {
    for (int c = columnFrom; c < columnTo; c++) {
      double weight = add ? at(dWeight, c) : 0;
      double bias = add && dBias != 0 ? at(dBias, c) : 0;
      for (int r = rowFrom; r < rowTo; r++) {
        double mean = at(stats + 4L * statsStride * r, 0);
        double scale = at(stats + 4L * statsStride * r, 1);
        double d = at(dy + 4L * dyStride * r, c);
        weight += d * (at(x + 4L * xStride * r, c) - mean) * scale;
        bias += d;
      }
      put(dWeight, c, weight);
      if (dBias != 0) put(dBias, c, bias);
    }
  }

  // Bends.

  @Override
  public void gelu(long dx, long dy, long x, long count) {
    for (long i = 0; i < count; i++) {
      double a = at(x, i);
      put(dx, i, at(dy, i) * (Normal.below(a) + a * Normal.density(a)));
    }
  }

  @Override
  public void geluTanh(long dx, long dy, long x, long count) {
    double root = Math.sqrt(2 / Math.PI);
    for (long i = 0; i < count; i++) {
      double a = at(x, i);
      double tanh = StrictMath.tanh(root * (a + 0.044715 * a * a * a));
      double inner = root * (1 + 3 * 0.044715 * a * a);
      put(dx, i, at(dy, i) * 0.5 * (1 + tanh + a * (1 - tanh * tanh) * inner));
    }
  }

  @Override
  public void swiglu(long dGate, long dUp, long dy, long gate, long up, long count) {
    for (long i = 0; i < count; i++) {
      double a = at(gate, i);
      double b = at(up, i);
      double d = at(dy, i);
      double logistic = 1 / (1 + StrictMath.exp(-a));
      put(dGate, i, d * b * logistic * (1 + a * (1 - logistic)));
      put(dUp, i, d * a * logistic);
    }
  }

  // Positions and rows.

  @Override
  public void rope(
      long dx,
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
      long turn = angles + 4L * turned * integer(positions, r);
      for (int h = 0; h < heads; h++) {
        long head = dx + 4L * stride * r + 4L * width * h;
        for (int j = 0; j < half; j++) {
          int first = step * j;
          double a = at(head, first);
          double b = at(head, first + apart);
          double cos = at(turn, j);
          double sin = at(turn, j + half);
          put(head, first, a * cos + b * sin);
          put(head, first + apart, b * cos - a * sin);
        }
      }
    }
  }

  @Override
  public void rows(
      long dTable,
      int tableStride,
      long dy,
      int dyStride,
      long ids,
      int rows,
      int columnFrom,
      int columnTo) {
    for (int r = 0; r < rows; r++) {
      long to = dTable + 4L * tableStride * integer(ids, r);
      long from = dy + 4L * dyStride * r;
      for (int c = columnFrom; c < columnTo; c++) put(to, c, at(to, c) + at(from, c));
    }
  }

  @Override
  public void softmax(long dp, long p, int stride, int rows, int keys, float scale) {
    for (int r = 0; r < rows; r++) {
      long d = dp + 4L * stride * r;
      long of = p + 4L * stride * r;
      double sum = 0;
      for (int j = 0; j < keys; j++) sum += (double) at(of, j) * at(d, j);
      for (int j = 0; j < keys; j++) put(d, j, at(of, j) * (at(d, j) - sum) * scale);
    }
  }

  // Loss and optimizer.

  @Override
  public void crossEntropy(
      long losses,
      int lossStride,
      long logits,
      int stride,
      long targets,
      int width,
      float factor,
      int rowFrom,
      int rowTo) {
    for (int r = rowFrom; r < rowTo; r++) {
      long row = logits + 4L * stride * r;
      long loss = losses + 4L * lossStride * r;
      int target = integer(targets, r);
      if (target < 0) {
        put(loss, 0, 0);
        zero(row, width);
        continue;
      }
      double max = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < width; i++) max = Math.max(max, at(row, i));
      double others = 0;
      for (int i = 0; i < width; i++) {
        if (i != target) others += StrictMath.exp(at(row, i) - max);
      }
      double own = StrictMath.exp(at(row, target) - max);
      put(loss, 0, loss(others, own, at(row, target) - max));
      double sum = others + own;
      for (int i = 0; i < width; i++) {
        double p = StrictMath.exp(at(row, i) - max) / sum;
        put(row, i, factor * (i == target ? -others / sum : p));
      }
    }
  }

  /** {@code log(others + own) − log(own)}; where that is small, to as many digits. */
  private static double loss(double others, double own, double logOwn) {
    return others < own ? StrictMath.log1p(others / own) : StrictMath.log(others + own) - logOwn;
  }

  @Override
  public double sumOfSquares(long x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double) at(x, i) * at(x, i);
    return sum;
  }

  @Override
  public double sum(long x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += at(x, i);
    return sum;
  }

  @Override
  public void round(long halves, long x, long count) {
    for (long i = 0; i < count; i++) {
      ALL.set(ValueLayout.JAVA_SHORT, halves + 2 * i, BrainFloat.of(at(x, i)));
    }
  }

  @Override
  public void widen(long x, long halves, long count) {
    for (long i = 0; i < count; i++) {
      put(x, i, BrainFloat.toFloat(ALL.get(ValueLayout.JAVA_SHORT, halves + 2 * i)));
    }
  }

  @Override
  public void zero(long x, long count) {
    for (long i = 0; i < count; i++) put(x, i, 0);
  }
}
