package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.kernel.GradKernels;

/** Every gradient in the Vector API: see the package for the rules. */
public final class VectorGradKernels implements GradKernels {
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
    long lanes = Scratch.own().tile;
    for (int row = rowFrom; row < rowTo; row++) {
      NormsBackward.row(
          dx + 4L * dxStride * row,
          dy + 4L * dyStride * row,
          x + 4L * xStride * row,
          weight,
          epsilon,
          centered,
          add,
          stats + 4L * statsStride * row,
          width,
          lanes);
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
    int width = columnTo - columnFrom;
    int rows = rowTo - rowFrom;
    long from = dy + 4L * dyStride * rowFrom + 4L * columnFrom;
    long sums = dWeight + 4L * columnFrom;
    if (!add) zero(sums, width);
    NormsBackward.weight(
        sums,
        from,
        4L * dyStride,
        x + 4L * xStride * rowFrom + 4L * columnFrom,
        4L * xStride,
        stats + 4L * statsStride * rowFrom,
        4L * statsStride,
        rows,
        width);
    if (dBias == 0) return;
    if (!add) zero(dBias + 4L * columnFrom, width);
    NormsBackward.bias(dBias + 4L * columnFrom, from, 4L * dyStride, rows, width);
  }

  @Override
  public void apply(
      Activation activation, long dx, long dUp, long dy, long x, long up, long count) {
    Activations.gradient(activation, dx, dUp, dy, x, up, count);
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
    for (int row = 0; row < rows; row++) {
      int id = ALL.get(Lanes.INT, ids + 4L * row);
      long to = dTable + 4L * tableStride * id + 4L * columnFrom;
      long from = dy + 4L * dyStride * row + 4L * columnFrom;
      Elements.add(to, from, to, columnTo - columnFrom);
    }
  }

  @Override
  public void softmax(long dp, long p, int stride, int rows, int keys, float scale) {
    long lanes = Scratch.own().lanes;
    for (int row = 0; row < rows; row++) {
      Losses.softmax(dp + 4L * stride * row, p + 4L * stride * row, keys, scale, lanes);
    }
  }

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
    long lanes = Scratch.own().lanes;
    for (int row = rowFrom; row < rowTo; row++) {
      int target = ALL.get(Lanes.INT, targets + 4L * row);
      long at = logits + 4L * stride * row;
      float loss = 0;
      if (target < 0) zero(at, width);
      else loss = Losses.crossEntropy(at, width, target, factor, lanes);
      Lanes.set(losses + 4L * lossStride * row, loss);
    }
  }

  @Override
  public double sumOfSquares(long x, int count) {
    return Norms.squares(x, 0, count, Scratch.own().lanes);
  }

  @Override
  public double sum(long x, int count) {
    return Norms.sum(x, count, Scratch.own().lanes);
  }

  @Override
  public void round(long halves, long x, long count) {
    Bf16Halves.round(halves, x, count);
  }

  @Override
  public void widen(long x, long halves, long count) {
    Bf16Halves.widen(x, halves, count);
  }

  @Override
  public void zero(long x, long count) {
    Elements.zero(x, count);
  }
}
