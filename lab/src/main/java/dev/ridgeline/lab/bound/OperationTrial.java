package dev.ridgeline.lab.bound;

import dev.ridgeline.lab.roofline.Caches;
import dev.ridgeline.lab.roofline.MadeUpWeights;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.lab.roofline.StreamLoop;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.LargePages;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of an operation, again and again: on its own data, or on copies that no cache holds. For
 * one thread, which shares the work with a device's workers.
 */
public final class OperationTrial implements AutoCloseable {
  /** How much larger than all caches copies are together: a cache keeps some of a stream. */
  private static final int BEYOND = 4;

  private static final long MOST_BYTES = 2L << 30;

  /** The part of a core's cache that the matrix of {@link Part#COMPUTE} takes at most. */
  private static final int OF_NEAR_CACHE = 4;

  /** Outputs that kernels compute at a time. */
  private static final int PANEL = 32;

  /** Rows that workers cut among themselves as they do with more. */
  private static final int WHOLE_BANDS = 240;

  private static final int SOME_PANELS = 8;
  private static final int MOST_PROJECTIONS = 512;
  private static final String OWNER = "trial";
  private static final float EPSILON = 1e-6f;

  private final Arena arena = Arena.ofShared();
  private final List<Tensor> tensors = new ArrayList<>();
  private final Device device;
  private final Ops ops;
  private final Operation operation;
  private final Part part;
  private final int copies;
  private final long weightBytes;
  private final List<Runnable> turns = new ArrayList<>();
  private Tensor result;
  private double share = 1;
  private int next;

  /**
   * Makes all that it needs.
   *
   * @param beyond whether data is to come from memory, as in a model that is larger than caches
   */
  public OperationTrial(Operation operation, Part part, boolean beyond, int workers) {
    this.operation = operation;
    this.part = part;
    this.device = Device.cpu(workers);
    this.ops = new Ops(device);
    this.weightBytes = operation.kind().multiplies() ? weightBytes(operation, workers) : 0;
    this.copies = beyond ? copies(workers) : 1;
    try {
      switch (part) {
        case READ -> reading();
        case COMPUTE -> computing(workers);
        case FULL -> all();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** What weights take as they lie in memory, which is not always what they take in a file. */
  private static long weightBytes(Operation operation, int workers) {
    // Panels are alike: some tell of all.
    int outputs = Math.min(operation.outputs(), SOME_PANELS * PANEL);
    var some = new Product(operation.type(), outputs, operation.inputs(), 1);
    Map<String, Long> account = new TreeMap<>();
    try (Arena arena = Arena.ofConfined();
        Device planned = DeviceChoice.DEFAULT.withWorkers(workers).plan(account)) {
      planned.weights(MadeUpWeights.of(some, arena), Layout.MATRIX).close();
    }
    long bytes = account.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return Math.round((double) bytes * operation.outputs() / outputs);
  }

  /** Bytes that take turns. */
  private long cycledBytes() {
    return operation.kind().multiplies()
        ? weightBytes
        : operation.operandBytes() + operation.resultBytes();
  }

  private int copies(int workers) {
    long wanted = BEYOND * Caches.here().farBytes(workers) / cycledBytes() + 1;
    return (int) Math.max(1, Math.min(wanted, MOST_BYTES / cycledBytes()));
  }

  /** Whether an operation's data lies in memory rather than in caches when it is done again. */
  public static boolean beyondCaches(Operation operation, int workers) {
    long bytes = operation.operandBytes() + operation.resultBytes();
    if (operation.kind().multiplies()) bytes += weightBytes(operation, workers);
    return bytes > Caches.here().farBytes(workers);
  }

  private void reading() {
    boolean matrix = operation.kind().multiplies();
    StreamLoop read = StreamLoop.reading(arena);
    StreamLoop write = StreamLoop.writing(arena);
    long operands = room(operation.operandBytes(), read);
    long results = room(operation.resultBytes(), write);
    long fixed = matrix ? LargePages.allocate(operands + results, arena).address() : 0;
    long cycled = matrix ? room(weightBytes, read) : operands + results;
    var memory = LargePages.allocate(cycled * copies, arena);
    memory.fill((byte) 1); // not before somebody writes to them are there pages
    Workers workers = Workers.of(device.batches());
    for (int i = 0; i < copies; i++) {
      long at = memory.address() + i * cycled;
      var streams = new StreamTask(device.batches());
      if (matrix) {
        streams.add(read, at, cycled).add(read, fixed, operands);
        streams.add(write, fixed + operands, results);
      } else {
        streams.add(read, at, operands).add(write, at + operands, results);
      }
      turns.add(() -> streams.run(workers));
    }
  }

  /** Whole turns of a loop. */
  private static long room(long bytes, StreamLoop loop) {
    return (bytes + loop.turn() - 1) / loop.turn() * loop.turn();
  }

  private void computing(int workers) {
    long near = Caches.here().nearBytes() / OF_NEAR_CACHE;
    long rowBytes = 4L * (operation.inputs() + operation.outputs());
    if (!operation.kind().multiplies()) {
      int rows = (int) Math.clamp(near * workers / rowBytes, 1, operation.rows());
      each(rows);
      share = (double) rows / operation.rows();
      return;
    }
    long fit = near * OF_NEAR_CACHE / 2 * workers / rowBytes / WHOLE_BANDS * WHOLE_BANDS;
    int rows = (int) Math.min(operation.rows(), Math.max(WHOLE_BANDS, fit));
    long columnBytes = Math.max(1, weightBytes / operation.outputs());
    int panels = (int) Math.clamp(near / columnBytes / PANEL, 1, 1 << 20);
    int outputs = Math.min(operation.outputs(), panels * PANEL);
    int times = Math.clamp(operation.outputs() / outputs, 1, MOST_PROJECTIONS);
    Tensor matrix = keep(device.weights(weights(outputs), Layout.MATRIX));
    Tensor x = rows(rows, operation.inputs());
    Projection[] all = new Projection[times];
    for (int i = 0; i < times; i++) all[i] = new Projection(zeros(rows, outputs), matrix, null);
    result = all[0].out();
    share = (double) rows * outputs * times / operation.rows() / operation.outputs();
    turns.add(() -> ops.matmul(x, all));
  }

  private void all() {
    if (!operation.kind().multiplies()) {
      for (int i = 0; i < copies; i++) each(operation.rows());
      return;
    }
    GgufTensor stored = weights(operation.outputs());
    Tensor x = rows(operation.rows(), operation.inputs());
    result = zeros(operation.rows(), operation.outputs());
    for (int i = 0; i < copies; i++) {
      Tensor matrix = keep(device.weights(stored, Layout.MATRIX));
      turns.add(() -> ops.matmul(result, x, matrix, null));
    }
  }

  private GgufTensor weights(int outputs) {
    return MadeUpWeights.of(
        new Product(operation.type(), outputs, operation.inputs(), operation.rows()), arena);
  }

  /** A turn of an operation that has no matrix, on tensors of its own. */
  private void each(int count) {
    int columns = operation.inputs();
    Tensor x = rows(count, columns);
    Tensor out = zeros(count, columns);
    result = out;
    switch (operation.kind()) {
      case ADD -> {
        Tensor y = rows(count, columns);
        turns.add(() -> ops.add(out, x, y));
      }
      case SWIGLU -> {
        Tensor y = rows(count, columns);
        turns.add(() -> ops.apply(Activation.SILU, out, x, y));
      }
      case GELU -> turns.add(() -> ops.apply(Activation.GELU, out, x));
      case LAYERNORM -> {
        Tensor weight = vector();
        Tensor bias = vector();
        turns.add(() -> ops.layerNorm(out, x, weight, bias, EPSILON));
      }
      case RMSNORM -> {
        Tensor weight = vector();
        turns.add(() -> ops.rmsNorm(out, x, weight, EPSILON));
      }
      case MATMUL -> throw new IllegalStateException("has a matrix");
    }
  }

  private Tensor vector() {
    var one = new Product(TensorType.F32, 1, operation.inputs(), 1);
    return keep(device.weights(MadeUpWeights.of(one, arena), Layout.VECTOR));
  }

  private Tensor rows(int count, int columns) {
    Tensor x = zeros(count, columns);
    device.write(x, MadeUpWeights.numbers((long) count * columns), 0);
    return x;
  }

  private Tensor zeros(int count, int columns) {
    return keep(device.allocate(OWNER, TensorType.F32, count, columns)).rows(count);
  }

  private Tensor keep(Tensor tensor) {
    tensors.add(tensor);
    return tensor;
  }

  /** Does it once; {@link #share} says how much of the operation that is. */
  public void run() {
    turns.get(next).run();
    next = next + 1 == turns.size() ? 0 : next + 1;
  }

  /** How much of the operation one run does: less than 1 where memory for all would be too much. */
  public double share() {
    return share;
  }

  /** Bytes that the operation moves, weights as they lie in memory. */
  public long bytes() {
    return weightBytes + operation.operandBytes() + operation.resultBytes();
  }

  /** What runs, as a run records it. */
  public Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put("part", part.word());
    plan.put("workers", Integer.toString(device.batches()));
    plan.put("copies", Integer.toString(part == Part.COMPUTE ? 1 : copies));
    if (part != Part.READ) plan.putAll(device.plan());
    return plan;
  }

  /** The first row of the result; null where nothing is computed. */
  public float[] result() {
    if (result == null) return null;
    float[] numbers = new float[result.columns()];
    device.read(result, 0, numbers, 0);
    return numbers;
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::close);
    device.close();
    arena.close();
  }
}
