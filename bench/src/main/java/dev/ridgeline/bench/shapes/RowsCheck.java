package dev.ridgeline.bench.shapes;

import static dev.ridgeline.bench.shapes.Stage.get;
import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.ridgeline.bench.shapes.Stage.Kind;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Norms, activations and what else is done to rows, as near to plain Java as tests ask. */
final class RowsCheck {
  private static final Kernels SCALAR = new ScalarKernels();
  private static final float EPSILON = 1e-5f;

  private final Stage stage;
  private final Kernels kernels;

  RowsCheck(Stage stage) {
    this.stage = stage;
    this.kernels = stage.kernels;
  }

  void run() {
    switch (stage.random.nextInt(5)) {
      case 0 -> norms();
      case 1, 2 -> elements();
      case 3 -> rope();
      default -> pooling();
    }
  }

  private void norms() {
    int rows = 1 + stage.random.nextInt(9);
    int width = stage.percent(5) ? 1000 + stage.random.nextInt(100) : stage.size();
    int stride = width + stage.random.nextInt(5);
    int from = stage.random.nextInt(rows);
    boolean layer = stage.random.nextBoolean();
    long x = stage.filled(Kind.NORMAL, rows, stride, width);
    long weight = stage.filled(Kind.NORMAL, 1, width, width);
    long bias = stage.filled(Kind.NORMAL, 1, width, width);
    long expected = stage.room(rows, stride, width);
    long copy = stage.room(rows, stride, width);
    MemorySegment.copy(ALL, x, ALL, copy, 4L * ((rows - 1L) * stride + width));
    long out = stage.random.nextBoolean() ? x : stage.room(rows, stride, width);
    if (layer) {
      kernels.rows().norm(x, stride, 0, 0, weight, bias, EPSILON, out, stride, width, from, rows);
      SCALAR
          .rows()
          .norm(copy, stride, 0, 0, weight, bias, EPSILON, expected, stride, width, from, rows);
    } else {
      kernels.rows().norm(x, stride, 0, 0, weight, 0, EPSILON, out, stride, width, from, rows);
      SCALAR
          .rows()
          .norm(copy, stride, 0, 0, weight, 0, EPSILON, expected, stride, width, from, rows);
    }
    String what =
        "%s norm of rows %d–%d of %d (stride %d)%s"
            .formatted(
                layer ? "layer" : "rms", from, rows, width, stride, out == x ? " in place" : "");
    for (int r = from; r < rows; r++) {
      long row = (long) r * stride;
      double mean = 0;
      double squares = 0;
      for (int i = 0; i < width; i++) mean += get(copy, row + i) / (double) width;
      if (!layer) mean = 0;
      for (int i = 0; i < width; i++) squares += Math.pow(get(copy, row + i) - mean, 2);
      double factor = 1 / Math.sqrt(squares / width + EPSILON);
      for (int i = 0; i < width; i++) {
        double size = Math.abs(get(copy, row + i)) + Math.abs(mean);
        double bound = 1e-6 * size * factor * Math.abs(get(weight, i));
        if (layer) bound += 1e-6;
        // What plain Java says is rounded, too.
        bound += Math.ulp(get(expected, row + i));
        Stage.near(get(out, row + i), get(expected, row + i), bound, what);
      }
    }
    Stage.gaps(out, rows, stride, width, what);
  }

  private void elements() {
    int count = stage.size() + (stage.percent(10) ? 1000 : 0);
    Kind kind = stage.random.nextBoolean() ? Kind.UNEVEN : Kind.NORMAL;
    long a = stage.filled(kind, 1, count, count);
    long b = stage.filled(kind, 1, count, count);
    long expected = stage.room(4L * count);
    long out = stage.room(4L * count);
    int which = stage.random.nextInt(7);
    long[] from = {a, b};
    switch (which) {
      case 0 -> SCALAR.rows().add(a, b, expected, count);
      case 1 -> SCALAR.rows().scale(a, 1.7f, expected, count);
      case 2 -> SCALAR.rows().apply(Activation.GELU, a, 0, expected, count);
      case 3 -> SCALAR.rows().apply(Activation.GELU_TANH, a, 0, expected, count);
      case 4 -> SCALAR.rows().apply(Activation.GELU_TANH, a, b, expected, count);
      case 5 -> SCALAR.rows().multiply(a, b, expected, count);
      default -> SCALAR.rows().apply(Activation.SILU, a, b, expected, count);
    }
    long gate = stage.room(4L * count);
    MemorySegment.copy(ALL, a, ALL, gate, 4L * count);
    if (stage.percent(30)) out = from[0];
    switch (which) {
      case 0 -> kernels.rows().add(a, b, out, count);
      case 1 -> kernels.rows().scale(a, 1.7f, out, count);
      case 2 -> kernels.rows().apply(Activation.GELU, a, 0, out, count);
      case 3 -> kernels.rows().apply(Activation.GELU_TANH, a, 0, out, count);
      case 4 -> kernels.rows().apply(Activation.GELU_TANH, a, b, out, count);
      case 5 -> kernels.rows().multiply(a, b, out, count);
      default -> kernels.rows().apply(Activation.SILU, a, b, out, count);
    }
    List<String> names =
        List.of("add", "scale", "gelu", "gelu by tanh", "geglu", "multiply", "swiglu");
    String name = names.get(which);
    String what = "%s of %d%s".formatted(name, count, out == a ? " in place" : "");
    for (int i = 0; i < count; i++) {
      float right = get(expected, i);
      double up = which < 4 ? 1 : Math.abs(get(b, i));
      double bound =
          switch (which) {
            case 0, 1, 5 -> 0;
            case 2 -> Math.max(2e-7, Math.ulp(right));
            case 3, 4 -> 2e-7 * up * Math.max(1, Math.abs(get(gate, i))) + Math.ulp(right);
            default -> 4e-7 * Math.abs(right) + 1e-35;
          };
      Stage.near(get(out, i), right, bound, what + " at " + i);
    }
  }

  private void rope() {
    int rows = 1 + stage.random.nextInt(5);
    int heads = 1 + stage.random.nextInt(5);
    int turned = 2 * (1 + stage.random.nextInt(40));
    int width = turned + stage.random.nextInt(2) * stage.random.nextInt(20);
    int stride = heads * width + stage.random.nextInt(4);
    int positions = 1 + stage.random.nextInt(8);
    int from = stage.random.nextInt(rows);
    Pairing pairing = stage.random.nextBoolean() ? Pairing.HALVES : Pairing.NEIGHBOURS;
    long x = stage.filled(Kind.NORMAL, rows, stride, heads * width);
    long expected = stage.room(rows, stride, heads * width);
    MemorySegment.copy(ALL, x, ALL, expected, 4L * ((rows - 1L) * stride + heads * width));
    long angles = stage.filled(Kind.NORMAL, positions, turned, turned);
    long at = stage.room(4L * rows);
    for (int r = 0; r < rows; r++) {
      ALL.set(JAVA_INT_UNALIGNED, at + 4L * r, stage.random.nextInt(positions));
    }
    kernels.rows().rope(x, stride, heads, width, turned, pairing, false, angles, at, from, rows);
    SCALAR
        .rows()
        .rope(expected, stride, heads, width, turned, pairing, false, angles, at, from, rows);
    String what =
        "rope of rows %d–%d, %d heads of %d, %d turned, %s"
            .formatted(from, rows, heads, width, turned, pairing);
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < heads * width; i++) {
        boolean turns = r >= from && i % width < turned;
        // Two products of numbers below 6, rounded.
        double bound = turns ? 36 * 0x1p-22 : 0;
        long index = (long) r * stride + i;
        Stage.near(get(x, index), get(expected, index), bound, what + " at " + r + ", " + i);
      }
    }
    Stage.gaps(x, rows, stride, heads * width, what);
  }

  private void pooling() {
    int rows = 1 + stage.random.nextInt(20);
    int width = stage.size();
    int stride = width + stage.random.nextInt(5);
    int from = stage.random.nextInt(rows);
    long x = stage.filled(Kind.NORMAL, rows, stride, width);
    long out = stage.room(4L * width);
    long expected = stage.room(4L * width);
    kernels.rows().mean(x, stride, from, rows, width, out);
    SCALAR.rows().mean(x, stride, from, rows, width, expected);
    for (int i = 0; i < width; i++) {
      // Numbers are below 6.
      Stage.near(get(out, i), get(expected, i), 6e-6, "mean of %d rows".formatted(rows - from));
    }
    kernels.rows().normalize(x, width, out);
    SCALAR.rows().normalize(x, width, expected);
    for (int i = 0; i < width; i++) {
      float right = get(expected, i);
      Stage.near(get(out, i), right, 1e-6 * Math.abs(right) + 1e-37, "length 1 of " + width);
    }
  }
}
