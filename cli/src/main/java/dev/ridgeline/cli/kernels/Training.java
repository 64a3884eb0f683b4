package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.kernels.Formula.Expected;
import dev.ridgeline.cli.kernels.Kernel.Result;
import dev.ridgeline.cli.kernels.Room.Input;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Tensor;
import java.util.stream.IntStream;

/**
 * A step of training in small: two layers with a gelu between them, the cross entropy of classes,
 * gradients, and weights one step further. Each call steps from the same weights.
 */
final class Training {
  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope LOSS = Scope.of("loss");
  private static final Scope BACKWARD = Scope.of("backward");
  private static final Scope UPDATE = Scope.of("update");
  private static final float RATE = 0.01f;
  private static final double TOLERANCE = 1e-5;

  private final int batch;
  private final int hidden;
  private final Input x;
  private final Input w1;
  private final Input w2;
  private final int[] targets;

  /** Of formulas: what went into the gelu, and what came back to it; null until asked for. */
  private double[][] before;

  private double[][] dy;
  private double[][] dh;

  private Training(Room room, int batch, int hidden) {
    this.batch = batch;
    this.hidden = hidden;
    this.x = room.rows(batch, hidden, 1);
    this.w1 = room.rows(hidden, hidden, 1 / Math.sqrt(hidden));
    this.w2 = room.rows(hidden, hidden, 1 / Math.sqrt(hidden));
    this.targets = room.integers(batch, hidden);
  }

  static Kernel step(Room room, int batch, int hidden) {
    return new Training(room, batch, hidden).kernel(room);
  }

  private Kernel kernel(Room room) {
    Tensor first = room.matrix(w1);
    Tensor second = room.matrix(w2);
    Tensor back = room.transposed(w2);
    Tensor classes = room.column(targets);
    Result activation = new Result(batch, hidden, null);
    Result weights = new Result(hidden, hidden, null);
    return new Kernel(
        room,
        "batch %d, hidden %d".formatted(batch, hidden),
        to -> {
          Tensor dw1 = to[0];
          Tensor dw2 = to[1];
          Tensor h = to[2];
          Tensor g = to[3];
          Tensor y = to[4];
          Tensor dg = to[5];
          try (var _ = Profiler.scope(FORWARD)) {
            room.ops().matmul(h, x.tensor(), first, null);
            room.ops().apply(Activation.GELU_TANH, g, h);
            room.ops().matmul(y, g, second, null);
          }
          try (var _ = Profiler.scope(LOSS)) {
            room.grad().crossEntropy(to[6], y, classes, 1f / batch);
          }
          try (var _ = Profiler.scope(BACKWARD)) {
            room.grad().matmul(dw2, null, y, g);
            room.ops().matmul(dg, y, back, null);
            room.grad().apply(Activation.GELU_TANH, dg, dg, h);
            room.grad().matmul(dw1, null, dg, x.tensor());
          }
          try (var _ = Profiler.scope(UPDATE)) {
            further(room, to[7], w1.tensor(), dw1);
            further(room, to[8], w2.tensor(), dw2);
          }
        },
        new Result(hidden, hidden, this::byFirst),
        new Result(hidden, hidden, this::bySecond),
        activation,
        activation,
        activation,
        activation,
        new Result(batch, 1, null),
        weights,
        weights);
  }

  private static void further(Room room, Tensor next, Tensor weight, Tensor gradient) {
    room.ops().scale(next, gradient, -RATE);
    room.ops().add(next, next, weight);
  }

  private Expected byFirst(int output, int input) {
    compute();
    return Formula.sum(batch, TOLERANCE, row -> dh[row][output] * x.at(row, input));
  }

  private Expected bySecond(int output, int input) {
    compute();
    return Formula.sum(batch, TOLERANCE, row -> dy[row][output] * Formula.gelu(before[row][input]));
  }

  private void compute() {
    if (before != null) return;
    before = table((row, j) -> Formula.sum(hidden, 0, i -> x.at(row, i) * w1.at(j, i)).value());
    double[][] y =
        table(
            (row, j) ->
                Formula.sum(hidden, 0, i -> Formula.gelu(before[row][i]) * w2.at(j, i)).value());
    dy = new double[batch][];
    for (int row = 0; row < batch; row++) {
      double[] logits = y[row];
      dy[row] = Formula.softmax(hidden, j -> logits[j]);
      dy[row][targets[row]] -= 1;
      for (int j = 0; j < hidden; j++) dy[row][j] /= batch;
    }
    dh =
        table(
            (row, j) ->
                Formula.geluSlope(before[row][j])
                    * Formula.sum(hidden, 0, i -> dy[row][i] * w2.at(i, j)).value());
  }

  /** A number of a table. */
  private interface Entry {
    double at(int row, int column);
  }

  private double[][] table(Entry entry) {
    return IntStream.range(0, batch)
        .mapToObj(
            row ->
                IntStream.range(0, hidden).mapToDouble(column -> entry.at(row, column)).toArray())
        .toArray(double[][]::new);
  }
}
