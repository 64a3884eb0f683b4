package dev.ridgeline.bench;

import static dev.ridgeline.tensor.Memory.ALIGNMENT;
import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.lab.roofline.VectorLoops;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Matrix products on one core beside the rate of a loop of nothing but fma, in turns; results are
 * checked. Times are of the thread's own CPU, so that turns taken by others do not count.
 */
public final class Gemm {
  /** Turns of the loop that is the peak. */
  private static final int PEAK_TURNS = 20_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Kernels KERNELS = new VectorKernels();
  private static final TensorType[] TYPES = {
    TensorType.F32,
    TensorType.F16,
    TensorType.BF16,
    TensorType.Q8_0,
    TensorType.Q4_0,
    TensorType.Q5_0,
    TensorType.Q4_K,
    TensorType.Q6_K
  };
  private static final int TURNS = 15;

  private Gemm() {}

  public static void main(String[] args) {
    int[] sizes =
        args.length == 0
            ? new int[] {512, 768, 1024}
            : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    System.out.println(KERNELS.description() + "; GFLOP/s, best of " + TURNS + " turns each");
    System.out.println(" size  type   rows   product      peak   ratio   worst error / Σ|w·a|");
    for (int i = 0; i < 400; i++) VectorLoops.fma(PEAK_TURNS);
    for (TensorType type : TYPES) {
      for (int size : sizes) {
        for (int rows : new int[] {size, 64, 8, 1}) measure(type, size, rows);
      }
    }
  }

  private static void measure(TensorType type, int size, int rows) {
    if (size % type.blockSize() != 0) return;
    try (Arena arena = Arena.ofConfined()) {
      long stored = fill(arena, type, size);
      long x = arena.allocate(4L * rows * size, ALIGNMENT).address();
      var random = new SplittableRandom(7);
      for (long i = 0; i < (long) rows * size; i++) {
        ALL.set(JAVA_FLOAT, x + 4 * i, (float) random.nextDouble(-1, 1));
      }
      long out = arena.allocate(4L * rows * size, ALIGNMENT).address();
      long packed = arena.allocate(KERNELS.packedBytes(type, size, size), ALIGNMENT).address();
      int panels = (size + Kernels.PANEL - 1) / Kernels.PANEL;
      KERNELS.pack(type, stored, size, size, packed, 0, panels);
      double work = 2.0 * rows * size * size;
      int times = (int) Math.max(1, 4e8 / work);
      LongSupplier product =
          () -> {
            for (int i = 0; i < times; i++) {
              KERNELS.matmul(type, packed, size, size, x, size, 0, rows, 0, panels, 0, out, size);
            }
            return out;
          };
      for (int i = 0; i < 8; i++) product.getAsLong();
      double best = 0;
      double peak = 0;
      for (int turn = 0; turn < TURNS; turn++) {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < 20; i++) VectorLoops.fma(PEAK_TURNS);
        long middle = THREADS.getCurrentThreadCpuTime();
        product.getAsLong();
        long end = THREADS.getCurrentThreadCpuTime();
        peak = Math.max(peak, 20 * PEAK_TURNS * VectorLoops.OPERATIONS / (middle - begin));
        best = Math.max(best, work * times / (end - middle));
      }
      System.out.printf(
          "%5d  %-5s %5d   %7.1f   %7.1f   %5.2f   %.1e%n",
          size,
          type.word(),
          rows,
          best,
          peak,
          best / peak,
          error(type, stored, size, x, rows, out));
    }
  }

  private static double error(TensorType type, long stored, int size, long x, int rows, long out) {
    var random = new SplittableRandom(3);
    double worst = 0;
    try (Arena arena = Arena.ofConfined()) {
      long weights = arena.allocate(4L * size, ALIGNMENT).address();
      for (int check = 0; check < 500; check++) {
        int r = random.nextInt(rows);
        int o = random.nextInt(size);
        KERNELS.dequantize(type, stored + o * type.bytes(size), size, weights);
        double sum = 0;
        double size1 = 0;
        for (int k = 0; k < size; k++) {
          double term =
              (double) ALL.get(JAVA_FLOAT, weights + 4L * k)
                  * ALL.get(JAVA_FLOAT, x + 4L * ((long) r * size + k));
          sum += term;
          size1 += Math.abs(term);
        }
        float got = ALL.get(JAVA_FLOAT, out + 4L * ((long) r * size + o));
        worst = Math.max(worst, Math.abs(got - sum) / size1);
      }
    }
    if (!(worst < 1e-5)) throw new IllegalStateException("wrong product of " + type.word());
    return worst;
  }

  /** Random blocks with small scales. */
  private static long fill(Arena arena, TensorType type, int size) {
    long bytes = type.bytes((long) size * size);
    long at = arena.allocate(bytes, ALIGNMENT).address();
    var random = new SplittableRandom(5);
    for (long block = at; block < at + bytes; block += type.blockBytes()) {
      short half = Float.floatToFloat16((float) random.nextDouble(0.001, 0.1));
      switch (type) {
        case F32 -> ALL.set(JAVA_FLOAT, block, (float) random.nextDouble(-1, 1));
        case F16 -> ALL.set(JAVA_SHORT_UNALIGNED, block, half);
        case BF16 -> {
          int bits = Float.floatToIntBits((float) random.nextDouble(-1, 1)) >> 16;
          ALL.set(JAVA_SHORT_UNALIGNED, block, (short) bits);
        }
        default -> {
          for (int i = 0; i < type.blockBytes(); i++) {
            ALL.set(JAVA_BYTE, block + i, (byte) random.nextInt());
          }
          int scale = type == TensorType.Q6_K ? 208 : 0;
          ALL.set(JAVA_SHORT_UNALIGNED, block + scale, half);
          if (type == TensorType.Q4_K) ALL.set(JAVA_SHORT_UNALIGNED, block + 2, half);
        }
      }
    }
    return at;
  }
}
