package dev.ridgeline.tensor.kernel.vector;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.AdamRates;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.Rates;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.management.ManagementFactory;

/**
 * As a program: runs every kernel of the family that this JVM chooses twice, and says what the
 * second time allocated.
 */
final class Steady {
  private Steady() {}

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final AdamRates RATES = Rates.of(1, 0.9f, 0.1f, 1, 0, 1, 0.1f, 1, 1e-8f);
  private static final Kernels KERNELS = KernelChoice.made().kernels();
  private static final GradKernels GRAD = KERNELS.grad();
  private static final Multiplication PRODUCT = new Multiplication();

  private static final int OUTPUTS = 33;
  private static final int INPUTS = 256;
  private static final int[] PAGES = {1, 0};
  private static final TensorType[] TYPES = {
    TensorType.F32, TensorType.F16, TensorType.BF16, TensorType.Q8_0, TensorType.Q4_0,
    TensorType.Q4_1, TensorType.Q5_0, TensorType.Q5_1, TensorType.Q4_K, TensorType.Q5_K,
    TensorType.Q6_K, TensorType.Q2_K, TensorType.Q3_K, TensorType.IQ4_NL, TensorType.IQ4_XS,
    TensorType.MXFP4
  };

  /** With as many rows as its argument says. */
  public static void main(String[] args) {
    int rows = Integer.parseInt(args[0]);
    try (var numbers = new Numbers(8)) {
      long[] stored = new long[TYPES.length];
      long[] packed = new long[TYPES.length];
      for (int t = 0; t < TYPES.length; t++) {
        stored[t] = numbers.stored(TYPES[t], OUTPUTS, INPUTS);
        packed[t] = numbers.bytes(KERNELS.packedBytes(TYPES[t], OUTPUTS, INPUTS));
        KERNELS.pack(TYPES[t], stored[t], OUTPUTS, INPUTS, packed[t], 0, 2);
      }
      long x = numbers.filled(21 * INPUTS);
      long y = numbers.filled(21 * INPUTS);
      long out = numbers.filled(21 * INPUTS);
      long positions = numbers.integers(new int[rows]);
      long stats = numbers.filled(2 * rows);
      long means = numbers.filled(2 * INPUTS);
      long[] allocated = new long[TYPES.length + 2];
      for (int round = 0; round < 2; round++) {
        for (int t = 0; t < TYPES.length; t++) {
          long before = THREADS.getCurrentThreadAllocatedBytes();
          product(TYPES[t], packed[t], x, rows, out);
          product(TYPES[t], packed[t], x, rows / 3 + 1, out);
          product(TYPES[t], packed[t], x, 1, out);
          Quantizer.dequantize(TYPES[t], stored[t], INPUTS, out);
          allocated[t] = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        rows(rows, x, y, out, positions);
        long between = THREADS.getCurrentThreadAllocatedBytes();
        gradients(rows, x, y, out, positions, stats, means);
        allocated[TYPES.length] = between - before;
        allocated[TYPES.length + 1] = THREADS.getCurrentThreadAllocatedBytes() - between;
      }
      System.out.println(KERNELS.description());
      for (int t = 0; t < TYPES.length; t++) {
        System.out.printf("products of %s: %d bytes%n", TYPES[t].word(), allocated[t]);
      }
      System.out.printf("rows: %d bytes%n", allocated[TYPES.length]);
      System.out.printf("gradients: %d bytes%n", allocated[TYPES.length + 1]);
    }
  }

  private static void product(TensorType type, long packed, long x, int rows, long out) {
    PRODUCT
        .matrix(Precision.USUAL, type, packed, OUTPUTS, INPUTS)
        .rows(x, INPUTS)
        .to(0, out, OUTPUTS);
    KERNELS.matmul(PRODUCT, 0, rows, 0, 2, 0);
  }

  /** Two pages of one head, 40 wide: all that y has room for. */
  private static void pages(TensorType type, long x, long y, long out, int queries) {
    long bytes = type.bytes(32 * 40);
    KERNELS
        .attention()
        .pageScores(x, 80, queries, 2, type, y, bytes, PAGES, 0, 50, 40, 0.1f, out, 64);
    KERNELS
        .attention()
        .pageMix(out, 64, queries, 2, type, y, bytes, PAGES, 0, 50, 40, out + 4096, 80);
  }

  private static void rows(int rows, long x, long y, long out, long positions) {
    KERNELS.rows().norm(x, 250, 0, 0, y, y, 1e-5f, out, 250, 250, 0, rows);
    KERNELS.rows().norm(x, 250, 0, 0, y, 0, 1e-5f, out, 250, 250, 0, rows);
    KERNELS.rows().apply(Activation.GELU, x, 0, out, 1001);
    KERNELS.rows().apply(Activation.GELU_TANH, x, y, out, 1001);
    KERNELS.rows().apply(Activation.GELU_TANH, x, 0, out, 1001);
    KERNELS.rows().apply(Activation.SILU, x, y, out, 1001);
    KERNELS.rows().add(x, y, out, 1001);
    KERNELS.rows().multiply(x, y, out, 1001);
    KERNELS.rows().scale(x, 0.5f, out, 1001);
    KERNELS.rows().rope(out, 250, 5, 50, 50, Pairing.HALVES, false, y, positions, 0, rows);
    KERNELS.rows().rope(out, 250, 5, 50, 40, Pairing.NEIGHBOURS, false, y, positions, 0, rows);
    pages(TensorType.F32, x, y, out, 5);
    pages(TensorType.F32, x, y, out, 1);
    pages(TensorType.F16, x, y, out, 5);
    KERNELS.attention().scores(x, INPUTS, rows, y, INPUTS, rows, 40, 0.1f, out, rows);
    KERNELS.attention().softmax(out, rows, rows, rows, 0, 7, 9);
    KERNELS.attention().mix(out, rows, rows, y, INPUTS, rows, 40, out + 4096, 40);
    KERNELS.rows().mean(x, INPUTS, 0, rows, 250, out);
    KERNELS.rows().normalize(x, 250, out);
  }

  private static void gradients(
      int rows, long x, long y, long out, long positions, long stats, long means) {
    long more = out + 8192;
    GRAD.norm(out, 250, y, 250, x, 250, y, 1e-5f, false, false, stats, 2, 250, 0, rows);
    GRAD.norm(out, 250, y, 250, x, 250, y, 1e-5f, true, true, stats, 2, 250, 0, rows);
    GRAD.normWeight(out, more, y, 250, x, 250, stats, 2, false, 0, rows, 0, 250);
    GRAD.normWeight(out, 0, y, 250, x, 250, stats, 2, true, 0, rows, 32, 250);
    GRAD.apply(Activation.GELU, out, 0, y, x, 0, 1001);
    GRAD.apply(Activation.GELU_TANH, out, 0, y, x, 0, 1001);
    GRAD.apply(Activation.SILU, out, more, y, x, y, 1001);
    KERNELS.rows().rope(out, 250, 5, 50, 50, Pairing.HALVES, true, y, positions, 0, rows);
    KERNELS.rows().rope(out, 250, 5, 50, 40, Pairing.NEIGHBOURS, true, y, positions, 0, rows);
    GRAD.rows(out, 250, y, 250, positions, rows, 0, 250);
    GRAD.softmax(out, x, 250, rows, 21, 0.1f);
    GRAD.softmax(out, x, 250, rows, 250, 0.1f);
    GRAD.crossEntropy(stats, 1, out, 250, positions, 250, 0.1f, 0, rows);
    GRAD.sum(x, 1001);
    GRAD.sumOfSquares(x, 1001);
    KERNELS.rows().adamW(out, x, means, means + 1024, 251, RATES);
    GRAD.zero(out, 1001);
  }
}
