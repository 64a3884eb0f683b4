package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.kernel.assembled.Tiers;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.quant.RandomBlocks;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** A device with tensors of random numbers, all of them closed at the end. */
final class Fixture implements AutoCloseable {
  /**
   * The reference, what users get, what those get who start a JVM without any option, and those of
   * them whose processor has no registers of 512 bits.
   */
  enum Family {
    SCALAR(new ScalarKernels()),
    CHOSEN(KernelChoice.made().kernels()),
    WITHOUT_VECTORS(withoutVectors()),
    NARROW(narrow());

    private static Kernels withoutVectors() {
      Kernels plain = new ScalarKernels();
      return KernelChoice.made().kernels() instanceof AssembledKernels
          ? new AssembledKernels(plain, Tiling.here())
          : plain;
    }

    private static Kernels narrow() {
      return KernelChoice.made().kernels() instanceof AssembledKernels
          ? Tiers.kernels(Tier.AVX2)
          : new ScalarKernels();
    }

    private final Kernels kernels;

    Family(Kernels kernels) {
      this.kernels = kernels;
    }
  }

  final Device device;
  final Ops ops;
  final Random random;
  private final Arena arena = Arena.ofShared();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Hands over even the smallest work, so that small shapes are spread, too. */
  Fixture(Family family, int workers, long seed) {
    this(new CpuDevice(family.kernels, Workers.of(workers).partsOf(1), null), seed);
  }

  /** With the reference's kernels. */
  Fixture(int workers, long seed) {
    this(Family.SCALAR, workers, seed);
  }

  Fixture(Device device, long seed) {
    this.device = device;
    this.ops = new Ops(device);
    this.random = new Random(seed);
  }

  Tensor empty(int rows, int columns) {
    return keep(device.allocate("test", TensorType.F32, rows, columns));
  }

  Tensor filled(int rows, int columns) {
    return of(rows, columns, numbers(rows * columns));
  }

  Tensor of(int rows, int columns, float[] numbers) {
    Tensor tensor = empty(rows, columns);
    device.write(tensor, numbers, 0);
    return tensor;
  }

  Tensor integers(int... values) {
    Tensor tensor = keep(device.allocate("test", TensorType.I32, values.length, 1));
    device.write(tensor, values, 0);
    return tensor;
  }

  Sequences texts(int... lengths) {
    int rows = 0;
    for (int length : lengths) rows += length;
    Sequences texts = room(lengths.length, rows);
    for (int length : lengths) texts.add(length);
    return texts;
  }

  Sequences room(int texts, int rows) {
    return keep(new Sequences(device, "test", texts, rows));
  }

  Tensor workspace(int longest) {
    return keep(device.attentionWorkspace("test", longest));
  }

  Tensor cache(Layout layout, TensorType type, int pages, int heads, int width) {
    return keep(device.cache("test", layout, type, pages, heads, width));
  }

  float[] numbers(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) numbers[i] = (float) random.nextGaussian();
    return numbers;
  }

  /** Numbers as a file would have them; others where the type is only read. */
  GgufTensor stored(TensorType type, int rows, int columns, float[] numbers) {
    MemorySegment plain = arena.allocate(4L * numbers.length, 64);
    MemorySegment.copy(numbers, 0, plain, ValueLayout.JAVA_FLOAT, 0, numbers.length);
    // Files align tensors to 32 bytes, not to 64.
    MemorySegment data = arena.allocate(type.bytes(numbers.length) + 32, 64).asSlice(32);
    if (!type.writable()) {
      RandomBlocks.fill(type, data.address(), type.bytes(numbers.length), random);
    } else Quantizer.quantize(type, plain.address(), rows, columns, data.address());
    return new GgufTensor("w", type, List.of((long) columns, (long) rows), data);
  }

  /** What became of stored numbers. */
  float[] decoded(GgufTensor tensor) {
    int count = (int) tensor.count();
    MemorySegment plain = arena.allocate(4L * count, 64);
    Quantizer.dequantize(tensor.type(), tensor.address(), count, plain.address());
    return plain.toArray(ValueLayout.JAVA_FLOAT);
  }

  Tensor weights(GgufTensor tensor, Layout layout) {
    return keep(device.weights(tensor, layout));
  }

  Tensor matrix(GgufTensor tensor, Precision precision) {
    return keep(device.weights(tensor, Layout.MATRIX, precision));
  }

  Tensor vector(float... numbers) {
    return weights(stored(TensorType.F32, 1, numbers.length, numbers), Layout.VECTOR);
  }

  float[] read(Tensor tensor) {
    float[] numbers = new float[tensor.rows() * tensor.columns()];
    for (int r = 0; r < tensor.rows(); r++) device.read(tensor, r, numbers, r * tensor.columns());
    return numbers;
  }

  <T extends AutoCloseable> T keep(T closeable) {
    open.push(closeable);
    return closeable;
  }

  @Override
  public void close() {
    try {
      for (AutoCloseable each : open) each.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    arena.close();
  }
}
