package dev.ridgeline.bench.kernels;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.CpuProvider;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A product by one family of kernels, on any number of cores, with matrices that take turns. */
final class TimedProduct implements AutoCloseable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int LEAST_TIMES = 3;

  /** Results that are looked at. */
  private static final int LOOKS = 200;

  private final Shape shape;
  private final Kernels kernels;
  private final Arena arena = Arena.ofShared();
  private final GgufTensor stored;
  private final float[] numbers;
  private final List<Tensor> matrices = new ArrayList<>();
  private final Tensor x;
  private final Tensor out;
  private int next;

  /**
   * @param copies of the matrix that take turns
   */
  TimedProduct(Shape shape, Kernels kernels, int copies) {
    this.shape = shape;
    this.kernels = kernels;
    Device device = CpuProvider.open(kernels, 1);
    MemorySegment data = arena.allocate(shape.weightBytes(), Memory.ALIGNMENT);
    var random = new SplittableRandom(5);
    RandomBlocks.fill(shape.type(), data.address(), data.byteSize(), random);
    var sizes = List.of((long) shape.inputs(), (long) shape.outputs());
    stored = new GgufTensor("weights", shape.type(), sizes, data);
    for (int i = 0; i < copies; i++) matrices.add(device.weights(stored, Layout.MATRIX));
    x = device.allocate("bench", TensorType.F32, shape.rows(), shape.inputs());
    out = device.allocate("bench", TensorType.F32, shape.rows(), shape.outputs());
    x.rows(shape.rows());
    numbers = new float[shape.rows() * shape.inputs()];
    for (int i = 0; i < numbers.length; i++) numbers[i] = (float) random.nextDouble(-1, 1);
    device.write(x, numbers, 0);
  }

  /** Seconds of one product. */
  record Taken(double median, double fastest) {
    static Taken of(List<Double> times) {
      double[] all = times.stream().mapToDouble(Double::doubleValue).toArray();
      return new Taken(Median.of(all), Arrays.stream(all).min().orElseThrow());
    }
  }

  Shape shape() {
    return shape;
  }

  /** Whether rows become bytes and are multiplied as such. */
  boolean integer() {
    return kernels.integer(shape.type());
  }

  int matrices() {
    return matrices.size();
  }

  /** On one core its own CPU time, so that turns taken by others do not count. */
  private static long now(int cores) {
    return cores == 1 ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }

  /** Multiplies for so long. */
  Taken seconds(int cores, int rows, long nanos) {
    Ops ops = new Ops(CpuProvider.open(kernels, cores));
    x.rows(rows);
    List<Double> times = new ArrayList<>();
    long begin = now(cores);
    for (long before = begin, now;
        times.size() < LEAST_TIMES || before - begin < nanos;
        before = now) {
      ops.matmul(out, x, matrices.get(next), null);
      next = (next + 1) % matrices.size();
      now = now(cores);
      times.add((now - before) / 1e9);
    }
    return Taken.of(times);
  }

  /** Multiplies with all matrices so many times; each time counts as one, the mean of it. */
  Taken secondsAround(int cores, int times) {
    Ops ops = new Ops(CpuProvider.open(kernels, cores));
    List<Double> rounds = new ArrayList<>();
    for (int round = 0; round < times; round++) {
      long begin = now(cores);
      for (Tensor matrix : matrices) ops.matmul(out, x, matrix, null);
      rounds.add((now(cores) - begin) / 1e9 / matrices.size());
    }
    return Taken.of(rounds);
  }

  /**
   * The worst error of some results, in parts of Σ|w·x|; an {@link IllegalStateException} where it
   * is more than the type allows.
   */
  double check() {
    x.rows(shape.rows());
    new Ops(CpuProvider.open(kernels, 2)).matmul(out, x, matrices.getFirst(), null);
    var random = new SplittableRandom(3);
    float[] row = new float[shape.outputs()];
    MemorySegment weights = arena.allocate(4L * shape.inputs(), Memory.ALIGNMENT);
    long rowBytes = shape.type().bytes(shape.inputs());
    double worst = 0;
    for (int look = 0; look < LOOKS; look++) {
      int r = random.nextInt(shape.rows());
      int o = random.nextInt(shape.outputs());
      CpuProvider.open(kernels, 1).read(out, r, row, 0);
      Quantizer.dequantize(
          shape.type(), stored.address() + o * rowBytes, shape.inputs(), weights.address());
      double sum = 0;
      double size = 0;
      for (int i = 0; i < shape.inputs(); i++) {
        double term = (double) weights.getAtIndex(JAVA_FLOAT, i) * numbers[r * shape.inputs() + i];
        sum += term;
        size += Math.abs(term);
      }
      worst = Math.max(worst, Math.abs(row[o] - sum) / size);
    }
    // Rows that became bytes are off by half a step of 1/127 of their largest at most.
    double bound = integer() ? 1.0 / 127 : Math.scalb(4 + Math.sqrt(shape.inputs()), -24);
    if (worst <= bound) return worst;
    throw new IllegalStateException(
        "%s by %s is wrong by %.1e of Σ|w·x|".formatted(shape, kernels.description(), worst));
  }

  @Override
  public void close() {
    matrices.forEach(Tensor::close);
    x.close();
    out.close();
    arena.close();
  }
}
