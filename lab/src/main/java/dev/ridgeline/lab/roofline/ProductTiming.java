package dev.ridgeline.lab.roofline;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long our kernels take for a product, warmed up, the median of many.
 *
 * @param seconds of one product, the median
 * @param best the fastest: far from the median where other programs had the cores
 * @param copies of the matrix that took turns
 * @param kernels what computed
 */
public record ProductTiming(double seconds, double best, int copies, String kernels) {
  /** Memory for copies at most. */
  private static final long MOST_BYTES = 1 << 30;

  private static final int MOST_COPIES = 1024;

  /** Warm-up goes in stretches until two in a row bring nothing; the compiler may be busy. */
  private static final long STRETCH_NANOS = 250_000_000;

  private static final long LEAST_WARM_UP_NANOS = 1_500_000_000;
  private static final long MOST_WARM_UP_NANOS = 10_000_000_000L;
  private static final double BETTER = 0.95;

  private static final long MEASURE_NANOS = 600_000_000;
  private static final int LEAST_SAMPLES = 5;

  /** How many copies it takes so that each comes from memory again, beyond caches of so much. */
  public static int copiesBeyond(Product product, long cacheBytes) {
    long copies = 2 * cacheBytes / product.weightBytes() + 1;
    long most = Math.max(1, Math.min(MOST_COPIES, MOST_BYTES / product.weightBytes()));
    return (int) Math.min(copies, most);
  }

  /** Measures with so many copies of the matrix in turns. */
  public static ProductTiming measure(Product product, int copies, int workers) {
    try (Arena arena = Arena.ofConfined();
        Device device = Device.cpu(workers)) {
      List<Tensor> tensors = new ArrayList<>();
      try {
        GgufTensor stored = MadeUpWeights.of(product, arena);
        List<Tensor> matrices = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
          matrices.add(device.weights(stored, Layout.MATRIX));
          tensors.add(matrices.getLast());
        }
        Tensor x = device.allocate("roofline", TensorType.F32, product.rows(), product.inputs());
        tensors.add(x);
        Tensor out = device.allocate("roofline", TensorType.F32, product.rows(), product.outputs());
        tensors.add(out);
        x.rows(product.rows());
        device.write(x, MadeUpWeights.numbers((long) product.rows() * product.inputs()), 0);
        double[] times = times(new Ops(device), out, x, matrices);
        double best = Arrays.stream(times).min().orElseThrow();
        return new ProductTiming(Median.of(times), best, copies, device.description());
      } finally {
        tensors.forEach(Tensor::close);
      }
    }
  }

  private static double[] times(Ops ops, Tensor out, Tensor x, List<Tensor> matrices) {
    long begin = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    for (int settled = 0; settled < 2; ) {
      double now = Median.of(samples(ops, out, x, matrices, STRETCH_NANOS));
      settled = now < BETTER * best ? 0 : settled + 1;
      best = Math.min(best, now);
      long past = System.nanoTime() - begin;
      if (past < LEAST_WARM_UP_NANOS) settled = 0;
      if (past > MOST_WARM_UP_NANOS) break;
    }
    return samples(ops, out, x, matrices, MEASURE_NANOS);
  }

  private static double[] samples(
      Ops ops, Tensor out, Tensor x, List<Tensor> matrices, long nanos) {
    List<Double> samples = new ArrayList<>();
    long begin = System.nanoTime();
    while (samples.size() < LEAST_SAMPLES || System.nanoTime() - begin < nanos) {
      long start = System.nanoTime();
      ops.matmul(out, x, matrices.get(samples.size() % matrices.size()), null);
      samples.add((System.nanoTime() - start) / 1e9);
    }
    return samples.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
