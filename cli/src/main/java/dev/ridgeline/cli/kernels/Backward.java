package dev.ridgeline.cli.kernels;

import static dev.ridgeline.cli.kernels.Forward.EPSILON;

import dev.ridgeline.cli.kernels.Formula.Expected;
import dev.ridgeline.cli.kernels.Kernel.Result;
import dev.ridgeline.cli.kernels.Room.Input;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.NormBackward;
import java.util.Arrays;

/** Kernels of {@link dev.ridgeline.tensor.grad.Grad}. */
final class Backward {
  private static final Scope BY_A = Scope.of("gradient of A");
  private static final Scope BY_B = Scope.of("gradient of B");

  private Backward() {}

  /** The gradients of {@code C = A·B}, with B a row per output. */
  static Kernel matmul(Room room, int m, int k, int n) {
    Input a = room.rows(m, k, 1);
    Input b = room.rows(n, k, 1);
    Input dc = room.rows(m, n, 1);
    Tensor transposed = room.transposed(b);
    return new Kernel(
        room,
        "%d×%d @ %d×%d".formatted(m, k, k, n),
        to -> {
          try (var _ = Profiler.scope(BY_A)) {
            room.ops().matmul(to[0], dc.tensor(), transposed, null);
          }
          try (var _ = Profiler.scope(BY_B)) {
            room.grad().matmul(to[1], null, dc.tensor(), a.tensor());
          }
        },
        new Result(m, k, (i, j) -> Formula.sum(n, 1e-6, p -> dc.at(i, p) * b.at(p, j))),
        new Result(n, k, (i, j) -> Formula.sum(m, 1e-6, p -> dc.at(p, i) * a.at(p, j))));
  }

  static Kernel gelu(Room room, int elements) {
    Input x = room.rows(1, elements, 6);
    Input dy = room.rows(1, elements, 1);
    return new Kernel(
        room,
        Forward.shape(elements),
        to -> room.grad().apply(Activation.GELU_TANH, to[0], dy.tensor(), x.tensor()),
        new Result(
            1,
            elements,
            (_, j) ->
                new Expected(
                    dy.at(j) * Formula.geluSlope(x.at(j)),
                    2e-6 * Math.abs(dy.at(j)) * (1 + Math.abs(x.at(j))))));
  }

  static Kernel layerNorm(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 3);
    Input dy = room.rows(rows, columns, 1);
    Input weight = room.vector(columns, 1);
    var how = new NormBackward(EPSILON, false, room.empty(rows, 2));
    Norm norm = new Norm(x, dy, weight, true);
    return new Kernel(
        room,
        Forward.shape(rows, columns),
        to ->
            room.grad()
                .layerNorm(to[0], to[1], to[2], dy.tensor(), x.tensor(), weight.tensor(), how),
        new Result(rows, columns, norm::byX),
        new Result(1, columns, norm::byWeight),
        new Result(1, columns, (_, j) -> Formula.sum(rows, 1e-6, i -> dy.at(i, j))));
  }

  static Kernel rmsNorm(Room room, int rows, int columns) {
    Input x = room.rows(rows, columns, 3);
    Input dy = room.rows(rows, columns, 1);
    Input weight = room.vector(columns, 1);
    var how = new NormBackward(EPSILON, false, room.empty(rows, 2));
    Norm norm = new Norm(x, dy, weight, false);
    return new Kernel(
        room,
        Forward.shape(rows, columns),
        to -> room.grad().rmsNorm(to[0], to[1], dy.tensor(), x.tensor(), weight.tensor(), how),
        new Result(rows, columns, norm::byX),
        new Result(1, columns, norm::byWeight));
  }

  /** The gradients of a norm, whose rows have mean 0 first where they are centered. */
  private record Norm(Input x, Input dy, Input weight, boolean centered) {
    private int columns() {
      return x.columns();
    }

    private double mean(int row) {
      return centered ? Formula.mean(columns(), c -> x.at(row, c)) : 0;
    }

    private double scale(int row, double mean) {
      return 1
          / Math.sqrt(Formula.mean(columns(), c -> Math.pow(x.at(row, c) - mean, 2)) + EPSILON);
    }

    private double slope(int row, int column) {
      return dy.at(row, column) * weight.at(column);
    }

    Expected byX(int row, int column) {
      double mean = mean(row);
      double scale = scale(row, mean);
      double along = Formula.mean(columns(), c -> slope(row, c) * (x.at(row, c) - mean) * scale);
      double shift = centered ? Formula.mean(columns(), c -> slope(row, c)) : 0;
      double normal = (x.at(row, column) - mean) * scale;
      return new Expected(scale * (slope(row, column) - shift - normal * along), 1e-5 * scale);
    }

    Expected byWeight(int row, int column) {
      return Formula.sum(
          x.tensor().rows(),
          2e-6,
          i -> {
            double mean = mean(i);
            return dy.at(i, column) * (x.at(i, column) - mean) * scale(i, mean);
          });
    }
  }

  /** One text, in which each token saw those before it. */
  static Kernel attention(Room room, int tokens, int heads, int width) {
    Input q = room.rows(tokens, heads * width, 1);
    Input k = room.rows(tokens, heads * width, 1);
    Input v = room.rows(tokens, heads * width, 1);
    Input dOut = room.rows(tokens, heads * width, 1);
    float scale = (float) (1 / Math.sqrt(width));
    Sequences text = room.text(tokens);
    Tensor workspace = room.keep(room.grad().attentionWorkspace(Room.OWNER, tokens));
    Seen seen = new Seen(q, k, v, dOut, width, scale);
    Attended qkv = new Attended(q.tensor(), k.tensor(), v.tensor());
    Heads causal = new Heads(heads, heads, scale, Heads.ANY, 0);
    var how = new AttentionBackward(text, causal, workspace);
    return new Kernel(
        room,
        Forward.attentionShape(tokens, heads, width),
        to -> room.grad().attention(to[0], to[1], to[2], dOut.tensor(), qkv, how),
        new Result(tokens, heads * width, seen::byQ),
        new Result(tokens, heads * width, seen::byK),
        new Result(tokens, heads * width, seen::byV));
  }

  /** What each token saw of those before it, head by head, and the gradients of that. */
  private static final class Seen {
    private static final double TOLERANCE = 1e-5;

    private final Input q;
    private final Input k;
    private final Input v;
    private final Input dOut;
    private final int width;
    private final float scale;

    /** By head and token, when they are first asked for. */
    private final double[][][] shares;

    private final double[][][] slopes;

    Seen(Input q, Input k, Input v, Input dOut, int width, float scale) {
      this.q = q;
      this.k = k;
      this.v = v;
      this.dOut = dOut;
      this.width = width;
      this.scale = scale;
      this.shares = new double[q.columns() / width][tokens()][];
      this.slopes = new double[q.columns() / width][tokens()][];
    }

    private int tokens() {
      return q.tensor().rows();
    }

    private double product(Input a, int i, Input b, int j, int head) {
      double sum = 0;
      for (int c = head * width; c < (head + 1) * width; c++) sum += a.at(i, c) * b.at(j, c);
      return sum;
    }

    private double[] shares(int head, int token) {
      double[][] all = shares[head];
      if (all[token] == null) {
        all[token] = Formula.softmax(token + 1, key -> scale * product(q, token, k, key, head));
      }
      return all[token];
    }

    /** By the products of the token with each key. */
    private double[] slopes(int head, int token) {
      double[][] all = slopes[head];
      if (all[token] == null) {
        double[] share = shares(head, token);
        double[] slope = new double[share.length];
        Arrays.setAll(slope, key -> product(dOut, token, v, key, head));
        double mean = 0;
        for (int key = 0; key < slope.length; key++) mean += share[key] * slope[key];
        for (int key = 0; key < slope.length; key++) {
          slope[key] = scale * share[key] * (slope[key] - mean);
        }
        all[token] = slope;
      }
      return all[token];
    }

    Expected byQ(int token, int column) {
      double[] slope = slopes(column / width, token);
      return Formula.sum(slope.length, TOLERANCE, key -> slope[key] * k.at(key, column));
    }

    Expected byK(int key, int column) {
      return Formula.sum(
          tokens() - key,
          TOLERANCE,
          i -> slopes(column / width, key + i)[key] * q.at(key + i, column));
    }

    Expected byV(int key, int column) {
      return Formula.sum(
          tokens() - key,
          TOLERANCE,
          i -> shares(column / width, key + i)[key] * dOut.at(key + i, column));
    }
  }
}
