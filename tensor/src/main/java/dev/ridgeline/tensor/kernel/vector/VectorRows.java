package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.AdamRates;
import dev.ridgeline.tensor.kernel.RowKernels;

/** Operations on rows in the Vector API. */
final class VectorRows implements RowKernels {
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
  public void apply(Activation activation, long x, long up, long out, long count) {
    Activations.apply(activation, x, up, out, count);
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
    long lanes = Scratch.own().lanes;
    for (int row = rowFrom; row < rowTo; row++) {
      long from = x + 4L * xStride * row;
      long to = out + 4L * outStride * row;
      if (y != 0) {
        add(from, y + 4L * yStride * row, to, width);
        from = to;
      }
      if (bias == 0) Norms.rootMeanSquare(from, weight, epsilon, to, width, lanes);
      else Norms.layer(from, weight, bias, epsilon, to, width, lanes);
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
    for (int row = rowFrom; row < rowTo; row++) {
      int position = ALL.get(Lanes.INT, positions + 4L * row);
      for (int head = 0; head < heads; head++) {
        long at = x + 4L * stride * row + 4L * head * width;
        long turn = angles + 4L * turned * position;
        if (back) RopeBackward.turn(pairing, at, turned / 2, turn);
        else Rope.turn(pairing, at, turned / 2, turn);
      }
    }
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
  public void adamW(long p, long g, long m, long v, long count, AdamRates rates) {
    Adam.step(p, g, m, v, count, rates);
  }
}
