package dev.ridgeline.tensor.kernel.scalar;

import static dev.ridgeline.tensor.kernel.scalar.Numbers.at;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.integer;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.put;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.squares;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.sum;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.AdamRates;
import dev.ridgeline.tensor.kernel.RowKernels;

/** Operations on rows as their formulas have them. */
final class ScalarRows implements RowKernels {
  /** Means smaller than that are 0: numbers below it are slow, and never grow again. */
  private static final float LEAST = Float.MIN_NORMAL;

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
  public void apply(Activation activation, long x, long up, long out, long count) {
    for (long i = 0; i < count; i++) {
      put(out, i, activation.value(at(x, i)) * (up == 0 ? 1 : at(up, i)));
    }
  }

  @Override
  public void norm(
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
      double mean = bias == 0 ? 0 : sum(from, width) / width;
      double factor = 1 / Math.sqrt(squares(from, mean, width) / width + epsilon);
      for (int i = 0; i < width; i++) {
        double scaled = (at(from, i) - mean) * factor * at(weight, i);
        put(to, i, bias == 0 ? scaled : scaled + at(bias, i));
      }
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
      boolean back,
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
        long head = x + 4L * stride * r + 4L * width * h;
        for (int j = 0; j < half; j++) {
          int first = step * j;
          double a = at(head, first);
          double b = at(head, first + apart);
          double cos = at(turn, j);
          double sin = back ? -at(turn, j + half) : at(turn, j + half);
          put(head, first, a * cos - b * sin);
          put(head, first + apart, a * sin + b * cos);
        }
      }
    }
  }

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
    double squares = squares(x, 0, width);
    double factor = squares == 0 ? 0 : 1 / Math.sqrt(squares);
    for (int i = 0; i < width; i++) put(out, i, at(x, i) * factor);
  }

  @Override
  public void adamW(long p, long g, long m, long v, long count, AdamRates rates) {
    for (long i = 0; i < count; i++) {
      double d = (double) at(g, i) * rates.factor;
      double mean = (double) at(m, i) * rates.beta1 + d * rates.rest1;
      double squares = (double) at(v, i) * rates.beta2 + d * d * rates.rest2;
      put(m, i, Math.abs(mean) < LEAST ? 0 : mean);
      put(v, i, squares < LEAST ? 0 : squares);
      double step = rates.rate * at(m, i) / (rates.root * Math.sqrt(at(v, i)) + rates.epsilon);
      put(p, i, (double) at(p, i) * rates.keep - step);
    }
  }
}
