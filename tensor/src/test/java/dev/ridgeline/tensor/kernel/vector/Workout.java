package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.panels;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Rates;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import java.util.Arrays;

/**
 * Every operation once, on the same numbers each time. As a program it prints a digest of its
 * products and one of its rows, after as many rounds as it is told, all of which must agree.
 */
final class Workout {
  private Workout() {}

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    Kernels kernels = new VectorKernels();
    int products = Arrays.hashCode(products(kernels));
    float[] rows = rows(kernels);
    for (int round = 1; round < rounds; round++) {
      if (Arrays.hashCode(products(kernels)) != products) {
        throw new IllegalStateException("other products in round " + round);
      }
      if (!Arrays.equals(rows(kernels), rows)) {
        throw new IllegalStateException("other rows in round " + round);
      }
    }
    float[] expected = rows(new ScalarKernels());
    for (int i = 0; i < rows.length; i++) {
      if (!(Math.abs(rows[i] - expected[i]) <= 2e-6 * Math.max(1, Math.abs(expected[i])))) {
        throw new IllegalStateException("%s instead of %s".formatted(rows[i], expected[i]));
      }
    }
    System.out.printf(
        "%d lanes products %08x rows %08x%n",
        VectorKernels.lanes(), products, Arrays.hashCode(rows));
  }

  /** Sums in the order of their inputs: the same bits at any width of vectors. */
  static float[] products(Kernels kernels) {
    try (var numbers = new Numbers(42)) {
      var all = new Collected();
      for (TensorType type : TensorType.values()) {
        if (type == TensorType.I32) continue;
        int inputs = Math.max(64, type.blockSize());
        int outputs = 37;
        int rows = 11;
        long stored = numbers.stored(type, outputs, inputs);
        long packed = numbers.bytes(kernels.packedBytes(type, outputs, inputs));
        kernels.pack(type, stored, outputs, inputs, packed, 0, panels(outputs));
        long x = numbers.filled(rows * inputs);
        long bias = numbers.filled(outputs);
        long out = numbers.empty(rows * outputs);
        kernels.matmul(
            type, packed, outputs, inputs, x, inputs, 0, rows - 1, 0, 2, bias, out, outputs);
        kernels.matmul(
            type, packed, outputs, inputs, x, inputs, rows - 1, rows, 0, 2, bias, out, outputs);
        all.add(out, rows * outputs);
      }
      long q = numbers.filled(6 * 40);
      long p = numbers.empty(6 * 6);
      kernels.attention().scores(q, 40, 6, q, 40, 6, 40, 0.2f, p, 6);
      all.add(p, 36);
      long mixed = numbers.empty(6 * 40);
      kernels.attention().mix(p, 6, 6, q, 40, 6, 40, mixed, 40);
      all.add(mixed, 6 * 40);
      for (TensorType type : new TensorType[] {TensorType.F32, TensorType.F16}) {
        int[] pages = {1, 0};
        long bytes = type.bytes(32 * 40);
        long cache = numbers.stored(type, 2, 32 * 40 + 64);
        long scores = numbers.empty(6 * 64);
        kernels
            .attention()
            .pageScores(q, 80, 3, 2, type, cache, bytes, pages, 0, 40, 40, 0.2f, scores, 64);
        for (int i = 0; i < 6; i++) all.add(scores + 256L * i, 40);
        kernels
            .attention()
            .pageMix(scores, 64, 3, 2, type, cache, bytes, pages, 0, 40, 40, mixed, 80);
        all.add(mixed, 6 * 40);
      }
      return all.values();
    }
  }

  /** Everything else. */
  static float[] rows(Kernels kernels) {
    try (var numbers = new Numbers(43)) {
      var all = new Collected();
      int width = 75;
      long x = numbers.filled(3 * width);
      long y = numbers.filled(3 * width);
      long out = numbers.empty(3 * width);
      kernels.rows().norm(x, width, 0, 0, y, y, 1e-5f, out, width, width, 0, 3);
      all.add(out, 3 * width);
      kernels.rows().norm(x, width, 0, 0, y, 0, 1e-5f, out, width, width, 0, 3);
      all.add(out, 3 * width);
      kernels.rows().normalize(x, width, out);
      kernels.rows().mean(x, width, 0, 3, width, out + 4L * width);
      kernels.rows().scale(x, 0.7f, out + 8L * width, width);
      all.add(out, 3 * width);
      kernels.rows().apply(Activation.GELU, x, 0, out, 3 * width);
      all.add(out, 3 * width);
      kernels.rows().apply(Activation.GELU_TANH, x, y, out, 3 * width);
      all.add(out, 3 * width);
      kernels.rows().apply(Activation.SILU, x, y, out, 3 * width);
      all.add(out, 3 * width);
      kernels.rows().apply(Activation.GELU_TANH, x, 0, out, 3 * width);
      all.add(out, 3 * width);
      kernels.rows().add(x, y, out, 3 * width);
      all.add(out, 3 * width);
      long angles = numbers.filled(2 * 74);
      long at = numbers.integers(1, 0, 1);
      kernels.rows().rope(out, width, 1, 74, 74, Pairing.HALVES, false, angles, at, 0, 3);
      all.add(out, 3 * width);
      kernels.rows().rope(out, width, 3, 25, 24, Pairing.NEIGHBOURS, false, angles, at, 0, 3);
      all.add(out, 3 * width);
      kernels.attention().softmax(x, width, 3, width, 30, 28, 40);
      all.add(x, 3 * width);
      gradients(kernels, numbers, all);
      return all.values();
    }
  }

  private static void gradients(Kernels kernels, Numbers numbers, Collected all) {
    GradKernels grad = kernels.grad();
    int width = 75;
    int count = 5 * width;
    long x = numbers.filled(count);
    long y = numbers.filled(count);
    long out = numbers.filled(count);
    long stats = numbers.empty(10);
    long sums = numbers.empty(2 * width);
    grad.norm(out, width, y, width, x, width, y, 1e-5f, false, true, stats, 2, width, 0, 5);
    all.add(out, count);
    grad.normWeight(sums, 0, y, width, x, width, stats, 2, false, 0, 5, 0, width);
    all.add(sums, width);
    grad.norm(out, width, y, width, x, width, y, 1e-5f, true, false, stats, 2, width, 0, 5);
    all.add(out, count);
    long bias = sums + 4L * width;
    grad.normWeight(sums, bias, y, width, x, width, stats, 2, false, 0, 5, 0, width);
    all.add(sums, 2 * width);
    grad.apply(Activation.GELU, out, 0, y, x, 0, count);
    all.add(out, count);
    grad.apply(Activation.GELU_TANH, out, 0, y, x, 0, count);
    all.add(out, count);
    grad.apply(Activation.SILU, out, x, y, x, y, count);
    all.add(out, count);
    all.add(x, count);
    long angles = numbers.filled(2 * 74);
    long ids = numbers.integers(1, 0, 1, 1, 0);
    kernels.rows().rope(out, width, 1, 74, 74, Pairing.HALVES, true, angles, ids, 0, 5);
    all.add(out, count);
    kernels.rows().rope(y, width, 1, 74, 70, Pairing.NEIGHBOURS, true, angles, ids, 0, 5);
    all.add(y, count);
    grad.rows(out, width, y, width, ids, 5, 3, width);
    all.add(out, count);
    long p = numbers.filled(count);
    for (int i = 0; i < count; i++) Numbers.set(p, i, Math.abs(Numbers.get(p, i)) / width);
    grad.softmax(y, p, width, 5, width, 0.1f);
    all.add(y, count);
    grad.crossEntropy(stats, 1, out, width, ids, width, 0.2f, 0, 5);
    all.add(stats, 5);
    all.add(out, count);
    long m = numbers.filled(count);
    long v = numbers.empty(count);
    grad.zero(v, count);
    var rates = Rates.of(0.5f, 0.9f, 0.1f, 0.9f, 0.1f, 0.99f, 0.01f, 3, 1e-3f);
    kernels.rows().adamW(x, y, m, v, count, rates);
    all.add(x, count);
    all.add(m, count);
    all.add(v, count);
    Numbers.set(stats, 0, (float) grad.sum(x, count) / count);
    Numbers.set(stats, 1, (float) grad.sumOfSquares(x, count) / count);
    all.add(stats, 2);
  }

  private static final class Collected {
    private float[] values = new float[0];

    void add(long address, int count) {
      int size = values.length;
      values = Arrays.copyOf(values, size + count);
      System.arraycopy(read(address, count), 0, values, size, count);
    }

    float[] values() {
      return values;
    }
  }
}
