package dev.ridgeline.tensor.cpu;

import com.sun.management.OperatingSystemMXBean;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Owned;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Ablation;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Printable;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.StoredTensor;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.cpu.CpuTensor.Form;
import dev.ridgeline.tensor.cpu.RowsTask.Kind;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.tensor.grad.TrainingDevice;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.Code;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The processor: native memory, one family of kernels, and workers to run them. */
final class CpuDevice implements TrainingDevice {
  private static final String WEIGHTS = "weights";
  private static final String MAPPED = "weights (mapped)";

  /** Tokens that go through a model together: enough to fill it, few enough for the caches. */
  private static final int TOGETHER = 1_024;

  /** The same for each of many workers. */
  private static final int TOGETHER_PER_WORKER = 128;

  private final Kernels kernels;
  private final Workers workers;
  private final Tiling tiling;
  private final DeviceChoice choice;
  private final CpuDevice serial;
  private final CpuGrad training = new CpuGrad(this);

  /** What tensors would take, by owner, where nothing is to be allocated; null in earnest. */
  private final Map<String, Long> account;

  /**
   * What an operation needs while it runs. Operations never run inside each other on one thread, so
   * each thread has one of each.
   */
  private final ThreadLocal<Tasks> tasks = ThreadLocal.withInitial(Tasks::new);

  private static final class Tasks {
    final RowsTask rows = new RowsTask();
    final MatmulTask matmul = new MatmulTask();
    final AttentionTask attention = new AttentionTask();
    final CachedAttentionTask cachedAttention = new CachedAttentionTask();
    final StoreTask store = new StoreTask();
  }

  CpuDevice(Kernels kernels, Workers workers, Map<String, Long> accountOrNull) {
    this(kernels, workers, accountOrNull, Tiling.here(), true);
  }

  /**
   * @param accountOrNull for a device that plans and does nothing else
   * @param repacks whether matrices are copied; else they stay in their file
   */
  CpuDevice(
      Kernels kernels,
      Workers workers,
      Map<String, Long> accountOrNull,
      Tiling tiling,
      boolean repacks) {
    this.kernels = kernels;
    this.workers = workers;
    this.account = accountOrNull;
    this.tiling = tiling;
    this.choice = new DeviceChoice(DeviceChoice.CPU, workers.count(), repacks);
    this.serial =
        workers.count() == 1
            ? this
            : new CpuDevice(kernels, Workers.of(1), accountOrNull, tiling, repacks);
  }

  @Override
  public DeviceChoice choice() {
    return choice;
  }

  @Override
  public String description() {
    int count = workers.count();
    return "%d %s · %s".formatted(count, count == 1 ? "worker" : "workers", kernels.description());
  }

  Workers workers() {
    return workers;
  }

  @Override
  public int batches() {
    return workers.count();
  }

  @Override
  public int tokens() {
    return Math.max(TOGETHER, workers.count() * TOGETHER_PER_WORKER);
  }

  @Override
  public Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put("device", name());
    plan.put("kernels", description());
    plan.put("tiles", tiling.description());
    String code = Code.all().stream().map(Code.Kernel::toString).collect(Collectors.joining(", "));
    if (kernels instanceof AssembledKernels) plan.put("code", code);
    plan.put(
        "weights", repacks() ? "repacked" : "as they lie in the file, packed for each product");
    String without = Ablation.inForce();
    if (!without.isEmpty()) plan.put("without", without);
    return plan;
  }

  Kernels kernels() {
    return kernels;
  }

  Tiling tiling() {
    return tiling;
  }

  // Memory.

  /** Memory and swap, as a container limits them, less what everybody needs to live. */
  @Override
  public long memory() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      long all = system.getTotalMemorySize() + Math.max(0, system.getTotalSwapSpaceSize());
      if (all > 0) return all / 100 * 95;
    }
    return Long.MAX_VALUE;
  }

  @Override
  public boolean plans() {
    return account != null;
  }

  /** Enters memory where it is kept account of; null where nobody has to give it back. */
  Owned owned(String owner, long bytes) {
    if (!plans()) return Profiler.owned(owner, bytes);
    account.merge(owner, bytes, Long::sum);
    return null;
  }

  @Override
  public Tensor allocate(String owner, TensorType type, int rows, int columns) {
    if (type != TensorType.F32 && type != TensorType.I32 && type != TensorType.BF16) {
      throw new IllegalArgumentException(
          "%s: activations are f32, bf16 or i32, not %s".formatted(owner, type.word()));
    }
    Form form = new Form(owner, type, Layout.ROWS, rows, columns);
    return CpuTensor.make(this, form, type.bytes((long) rows * columns), false);
  }

  @Override
  public Tensor attentionWorkspace(String owner, int longest) {
    return allocate(
        owner,
        TensorType.F32,
        workers.count(),
        AttentionTask.numbers(AttentionTask.LEAST_QUERIES, longest));
  }

  @Override
  public Tensor cache(
      String owner, Layout layout, TensorType type, int pages, int heads, int width) {
    if (layout != Layout.KEYS && layout != Layout.VALUES) {
      throw new IllegalArgumentException("%s: a cache does not lie as %s".formatted(owner, layout));
    }
    if (type != TensorType.F32 && type != TensorType.F16) {
      throw new IllegalArgumentException(
          "%s: a cache is f32 or f16, not %s".formatted(owner, type.word()));
    }
    int columns = Math.multiplyExact(Math.multiplyExact(heads, width), PAGE);
    long bytes = type.bytes((long) pages * columns) + Kernels.MARGIN;
    return CpuTensor.make(this, new Form(owner, type, layout, pages, columns), bytes, false);
  }

  @Override
  public Tensor weights(StoredTensor tensor, Layout layout, Precision precision) {
    int rows = size(tensor, tensor.rows());
    int columns = size(tensor, tensor.columns());
    TensorType type = tensor.type();
    if (tensor.data().byteSize() < type.bytes(tensor.count())) {
      throw new IllegalArgumentException("%s is cut off".formatted(Printable.line(tensor.name())));
    }
    Form stored = new Form(MAPPED, type, layout, precision, rows, columns);
    return switch (layout) {
      case ROWS -> CpuTensor.mapped(this, stored, tensor.data());
      case MATRIX ->
          repacks()
              ? packed(tensor, new Form(WEIGHTS, type, layout, precision, rows, columns))
              : CpuTensor.mapped(this, stored, tensor.data());
      case VECTOR -> {
        int count = size(tensor, tensor.count());
        Form form = new Form(WEIGHTS, TensorType.F32, layout, 1, count);
        CpuTensor vector = CpuTensor.make(this, form, 4L * count, false);
        if (!plans()) Quantizer.dequantize(type, tensor.address(), count, vector.address);
        yield vector;
      }
      case KEYS, VALUES -> throw new IllegalArgumentException("weights do not lie as " + layout);
    };
  }

  private CpuTensor packed(StoredTensor tensor, Form form) {
    long bytes = kernels.packedBytes(form.type(), form.rows(), form.columns());
    CpuTensor packed = CpuTensor.make(this, form, bytes, true);
    if (plans() || new PackTask().run(this, packed, tensor.address(), false)) return packed;
    packed.close();
    throw notFinite(tensor.name());
  }

  /** Damaged weights: whole numbers would hide what floats would have shown. */
  static KernelException notFinite(String matrix) {
    return new KernelException(
        "%s: a scale is not finite: the model's file is damaged".formatted(matrix));
  }

  private static int size(StoredTensor tensor, long size) {
    if (size < 1 || size > Integer.MAX_VALUE - Kernels.PANEL) {
      throw new IllegalArgumentException(
          "%s: %s %s is too large".formatted(tensor.name(), tensor.shape(), tensor.type().word()));
    }
    return (int) size;
  }

  @Override
  public void write(Tensor to, int[] from, int offset) {
    write(to, TensorType.I32, from, ValueLayout.JAVA_INT, offset);
  }

  @Override
  public void write(Tensor to, float[] from, int offset) {
    write(to, TensorType.F32, from, ValueLayout.JAVA_FLOAT, offset);
  }

  private void write(Tensor to, TensorType type, Object from, ValueLayout number, int offset) {
    if (plans()) return;
    CpuTensor tensor = copied(to, type);
    int columns = tensor.columns();
    for (int r = 0; r < tensor.rows(); r++) {
      MemorySegment.copy(from, offset + r * columns, Memory.ALL, number, tensor.row(r), columns);
    }
  }

  @Override
  public void read(Tensor from, int row, int rows, float[] to, int offset) {
    int columns = from.columns();
    if (plans()) {
      // What is read before anything has run are factors; a model refuses those that are 0.
      Arrays.fill(to, offset, offset + rows * columns, 1);
      return;
    }
    CpuTensor tensor = copied(from, TensorType.F32);
    if (row < 0 || rows < 0 || row > tensor.rows() - rows) {
      throw new IllegalArgumentException("rows %d to %d of %s".formatted(row, row + rows, from));
    }
    for (int i = 0; i < rows; i++) {
      MemorySegment.copy(
          Memory.ALL,
          ValueLayout.JAVA_FLOAT,
          tensor.row(row + i),
          to,
          offset + i * columns,
          columns);
    }
  }

  private CpuTensor copied(Tensor tensor, TensorType type) {
    boolean rows = tensor.layout() == Layout.ROWS || tensor.layout() == Layout.VECTOR;
    if (!reaches(tensor) || tensor.type() != type || !rows) {
      throw new IllegalArgumentException(
          "%s is not a tensor of %s on this device".formatted(tensor, type.word()));
    }
    if (!tensor.open()) throw new IllegalStateException("%s is closed".formatted(tensor));
    return (CpuTensor) tensor;
  }

  @Override
  public boolean reaches(Tensor tensor) {
    // All processors share their memory; packed matrices are of one family of kernels.
    return tensor.device() instanceof CpuDevice other && other.kernels == kernels && !other.plans();
  }

  @Override
  public Device serial() {
    return serial;
  }

  @Override
  public GradDevice training() {
    return training;
  }

  /** Tensors are closed by their owners; the workers belong to the process. */
  @Override
  public void close() {}

  // Operations.

  private RowsTask rows() {
    return tasks.get().rows;
  }

  @Override
  public void rows(Tensor out, Tensor table, Tensor ids) {
    rows().run(this, Kind.LOOK_UP, out, table, ids, null);
  }

  @Override
  public Arithmetic form(TensorType type, int rows) {
    return kernels.form(type, rows);
  }

  @Override
  public void matmul(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    tasks.get().matmul.run(this, out, x, matrix, biasOrNull);
  }

  @Override
  public void matmul(Tensor x, Projection[] all) {
    tasks.get().matmul.run(this, x, all);
  }

  @Override
  public void add(Tensor out, Tensor a, Tensor b) {
    rows().run(this, Kind.ADD, out, a, b, null);
  }

  @Override
  public void multiply(Tensor out, Tensor a, Tensor b) {
    rows().run(this, Kind.MULTIPLY, out, a, b, null);
  }

  @Override
  public void scale(Tensor out, Tensor a, float factor) {
    RowsTask task = rows();
    task.number = factor;
    task.run(this, Kind.SCALE, out, a, null, null);
  }

  @Override
  public void norm(
      Tensor out, Tensor x, Tensor yOrNull, Tensor weight, Tensor biasOrNull, float epsilon) {
    RowsTask task = rows();
    task.number = epsilon;
    task.added = yOrNull;
    task.run(this, Kind.NORM, out, x, weight, biasOrNull);
  }

  @Override
  public void rmsNormHeads(Tensor x, int heads, Tensor weight, float epsilon) {
    RowsTask task = rows();
    task.number = epsilon;
    task.heads = heads;
    task.run(this, Kind.NORM_HEADS, x, x, weight, null);
  }

  @Override
  public void apply(Activation activation, Tensor out, Tensor x, Tensor upOrNull) {
    RowsTask task = rows();
    task.activation = activation;
    task.run(this, Kind.ACTIVATE, out, x, upOrNull, null);
  }

  @Override
  public void softmax(Tensor out, Tensor x) {
    rows().run(this, Kind.SOFTMAX, out, x, null, null);
  }

  @Override
  public void rope(Tensor x, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    RowsTask task = rows();
    task.heads = heads;
    task.pairing = pairing;
    task.run(this, Kind.ROPE, x, x, positions, angles);
  }

  @Override
  public void attention(
      Tensor out, Tensor q, Tensor k, Tensor v, Sequences texts, Heads heads, Tensor workspace) {
    AttentionTask task = tasks.get().attention;
    task.operands(out, q, k, v);
    task.run(this, texts, heads, workspace);
  }

  @Override
  public void store(Tensor keys, Tensor values, Tensor k, Tensor v, Sequences texts, int keyHeads) {
    tasks.get().store.run(this, keys, values, k, v, texts, keyHeads);
  }

  @Override
  public void copyPage(Tensor cache, int from, int to) {
    long bytes = cache.type().bytes(cache.columns());
    long at = ((CpuTensor) cache).address;
    MemorySegment.copy(Memory.ALL, at + bytes * from, Memory.ALL, at + bytes * to, bytes);
  }

  @Override
  public void cachedAttention(
      Tensor out,
      Tensor q,
      Tensor keys,
      Tensor values,
      Sequences texts,
      Heads heads,
      Tensor workspace) {
    CachedAttentionTask task = tasks.get().cachedAttention;
    task.operands(out, q, keys, values);
    task.run(this, texts, heads, workspace);
  }

  @Override
  public void pool(Pooled pooled, Tensor out, Tensor x, Sequences texts) {
    RowsTask task = rows();
    task.texts = texts;
    Kind kind =
        switch (pooled) {
          case MEAN -> Kind.MEAN;
          case FIRST -> Kind.FIRST;
          case LAST -> Kind.LAST;
        };
    task.run(this, kind, out, x, null, null);
  }

  @Override
  public void normalize(Tensor out, Tensor x) {
    rows().run(this, Kind.NORMALIZE, out, x, null, null);
  }
}
