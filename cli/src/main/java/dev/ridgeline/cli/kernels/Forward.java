package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.kernels.Kernel.Result;
import dev.ridgeline.cli.kernels.Room.Input;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/** Kernels of {@link dev.ridgeline.tensor.Ops}. */
final class Forward {
  static final float EPSILON = 1e-5f;

  /** The base of the angles of rope. */
  private static final double BASE = 10_000;

  private Forward() {}

  static Kernel matmul(Room room, int m, int k, int n) {
    Input a = room.rows(m, k, 1);
    Input b = room.rows(n, k, 1);
    Tensor matrix = room.matrix(b);
    return new Kernel(
        room,
        "%d×%d @ %d×%d".formatted(m, k, k, n),
        to -> room.ops().matmul(to[0], a.tensor(), matrix, null),
        new Result(m, n, (i, j) -> Formula.sum(k, 1e-6, p -> a.at(i, p) * b.at(j, p))));
  }

  static Kernel softmax(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 8);
    return new Kernel(
        room,
        shape(rows, columns),
        to -> room.ops().softmax(to[0], x.tensor()),
        new Result(
            rows,
            columns,
            (i, j) -> {
              double share = Formula.softmax(columns, c -> x.at(i, c))[j];
              return new Formula.Expected(share, 3e-6 * share);
            }));
  }

  static Kernel gelu(Room room, int elements) {
    Input x = room.rows(1, elements, 6);
    return new Kernel(
        room,
        shape(elements),
        to -> room.ops().apply(Activation.GELU_TANH, to[0], x.tensor()),
        new Result(
            1,
            elements,
            (_, j) -> new Formula.Expected(Formula.gelu(x.at(j)), 1e-6 * Math.abs(x.at(j)))));
  }

  static Kernel layerNorm(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 3);
    Input weight = room.vector(columns, 1);
    Input bias = room.vector(columns, 1);
    return new Kernel(
        room,
        shape(rows, columns),
        to -> room.ops().layerNorm(to[0], x.tensor(), weight.tensor(), bias.tensor(), EPSILON),
        new Result(
            rows,
            columns,
            (i, j) -> {
              double mean = Formula.mean(columns, c -> x.at(i, c));
              double variance = Formula.mean(columns, c -> Math.pow(x.at(i, c) - mean, 2));
              double normal = (x.at(i, j) - mean) / Math.sqrt(variance + EPSILON);
              // What is left of the mean's rounding is scaled by up to 316.
              return new Formula.Expected(normal * weight.at(j) + bias.at(j), 1e-4);
            }));
  }

  static Kernel rmsNorm(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 3);
    Input weight = room.vector(columns, 1);
    return new Kernel(
        room,
        shape(rows, columns),
        to -> room.ops().rmsNorm(to[0], x.tensor(), weight.tensor(), EPSILON),
        new Result(
            rows,
            columns,
            (i, j) -> {
              double square = Formula.mean(columns, c -> x.at(i, c) * x.at(i, c));
              double value = x.at(i, j) / Math.sqrt(square + EPSILON) * weight.at(j);
              return new Formula.Expected(value, 1e-5 * Math.abs(value) + 1e-12);
            }));
  }

  static Kernel add(Room room, int elements) {
    return pointwise(room, elements, room.ops()::add, (a, b) -> a + b);
  }

  static Kernel multiply(Room room, int elements) {
    return pointwise(room, elements, room.ops()::multiply, (a, b) -> a * b);
  }

  private interface Pointwise {
    void run(Tensor to, Tensor a, Tensor b);
  }

  private static Kernel pointwise(
      Room room, int elements, Pointwise operation, DoubleBinaryOperator formula) {
    Input x = room.rows(1, elements, 1);
    Input y = room.rows(1, elements, 1);
    return new Kernel(
        room,
        shape(elements),
        to -> operation.run(to[0], x.tensor(), y.tensor()),
        new Result(
            1, elements, (_, j) -> Formula.rounded(formula.applyAsDouble(x.at(j), y.at(j)))));
  }

  /** A row added to each of many, as a bias is. */
  static Kernel broadcastAdd(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 1);
    Input y = room.vector(columns, 1);
    return new Kernel(
        room,
        "%d×%d + 1×%d".formatted(rows, columns, columns),
        to -> room.ops().add(to[0], x.tensor(), y.tensor()),
        new Result(rows, columns, (i, j) -> Formula.rounded(x.at(i, j) + y.at(j))));
  }

  /** Rope works in place, so rows are copied first. */
  static Kernel rope(Room room, int rows, int heads, int width, boolean back) {
    Input x = room.rows(rows, heads * width, 1);
    Tensor positions = room.column(IntStream.range(0, rows).toArray());
    Tensor angles = room.keep(Angles.of(room.device(), Room.OWNER, rows, width, BASE, 1, null));
    return new Kernel(
        room,
        "%d rows of %d heads of %d, copied first".formatted(rows, heads, width),
        to -> {
          room.ops().scale(to[0], x.tensor(), 1);
          if (back) room.grad().rope(to[0], heads, positions, angles, Pairing.HALVES);
          else room.ops().rope(to[0], heads, positions, angles, Pairing.HALVES);
        },
        new Result(
            rows,
            heads * width,
            (i, j) -> {
              int half = width / 2;
              boolean first = j % width < half;
              double angle = i * Math.pow(BASE, -2.0 * (j % half) / width);
              double a = x.at(i, j);
              double b = x.at(i, first ? j + half : j - half);
              double turned = a * Math.cos(angle) + (first == back ? b : -b) * Math.sin(angle);
              return new Formula.Expected(turned, 1e-6 * (Math.abs(a) + Math.abs(b)));
            }));
  }

  /** One text, in which each token sees those before it. */
  static Kernel attention(Room room, int tokens, int heads, int width) {
    Input q = room.rows(tokens, heads * width, 1);
    Input k = room.rows(tokens, heads * width, 1);
    Input v = room.rows(tokens, heads * width, 1);
    float scale = (float) (1 / Math.sqrt(width));
    Sequences text = room.text(tokens);
    Tensor workspace = room.keep(room.device().attentionWorkspace(Room.OWNER, tokens));
    Heads causal = new Heads(heads, heads, scale, Heads.ANY, 0);
    return new Kernel(
        room,
        attentionShape(tokens, heads, width),
        to ->
            room.ops()
                .attention(to[0], q.tensor(), k.tensor(), v.tensor(), text, causal, workspace),
        new Result(
            tokens,
            heads * width,
            (i, j) -> {
              int head = j / width * width;
              double[] shares =
                  Formula.softmax(
                      i + 1,
                      key ->
                          scale
                              * Formula.sum(width, 0, c -> q.at(i, head + c) * k.at(key, head + c))
                                  .value());
              return Formula.sum(i + 1, 5e-6, key -> shares[key] * v.at(key, j));
            }));
  }

  static String shape(int elements) {
    return elements + " elements";
  }

  static String shape(int rows, int columns) {
    return rows + " rows of " + columns;
  }

  static String attentionShape(int tokens, int heads, int width) {
    return "%d tokens, %d heads of %d, causal".formatted(tokens, heads, width);
  }
}
