package dev.ridgeline.tensor.kernel.scalar;

import static dev.ridgeline.tensor.kernel.scalar.Numbers.at;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.half;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.integer;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.put;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.putHalf;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.squares;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.quant.Bf16Float;

/** Every gradient as its formula has it, one number after the other, in double. */
public final class ScalarGradKernels implements GradKernels {
  // Norms.

  @Override
  public void norm(
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
      int rowTo) {
    for (int r = rowFrom; r < rowTo; r++) {
      long from = x + 4L * xStride * r;
      double mean = centered ? Numbers.sum(from, width) / width : 0;
      double scale = 1 / Math.sqrt(squares(from, mean, width) / width + epsilon);
      put(stats + 4L * statsStride * r, 0, mean);
      put(stats + 4L * statsStride * r, 1, scale);
      long to = dx + 4L * dxStride * r;
      spread(to, dy + 4L * dyStride * r, from, weight, mean, scale, centered, add, width);
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

  @Override
  public void apply(
      Activation activation, long dx, long dUp, long dy, long x, long up, long count) {
    for (long i = 0; i < count; i++) {
      double a = at(x, i);
      double d = at(dy, i);
      double b = up == 0 ? 1 : at(up, i);
      put(dx, i, d * b * activation.slope(a));
      if (up != 0) put(dUp, i, d * activation.value(a));
    }
  }

  // Rows.

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
    return squares(x, 0, count);
  }

  @Override
  public double sum(long x, int count) {
    return Numbers.sum(x, count);
  }

  @Override
  public void round(long halves, long x, long count) {
    for (long i = 0; i < count; i++) putHalf(halves, i, Bf16Float.of(at(x, i)));
  }

  @Override
  public void widen(long x, long halves, long count) {
    for (long i = 0; i < count; i++) put(x, i, Bf16Float.toFloat(half(halves, i)));
  }

  @Override
  public void zero(long x, long count) {
    for (long i = 0; i < count; i++) put(x, i, 0);
  }
}
