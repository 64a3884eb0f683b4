package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.cpu.BackwardTask.Kind;
import dev.ridgeline.tensor.cpu.CpuTensor.Form;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.tensor.grad.NormBackward;
import java.lang.foreign.MemorySegment;

/** Training on the processor. */
final class CpuGrad implements GradDevice {
  private final CpuDevice device;

  /** As with the device's own: each thread has one of each. */
  private final ThreadLocal<Tasks> tasks = ThreadLocal.withInitial(Tasks::new);

  private static final class Tasks {
    final BackwardTask backward = new BackwardTask();
    final NormTask norm = new NormTask();
    final TableTask table = new TableTask();
    final AttentionBackwardTask attention = new AttentionBackwardTask();
    final UpdateTask update = new UpdateTask();
    final SumTask sum = new SumTask();
    final MatrixGradientTask matrix = new MatrixGradientTask();
    final PackTask pack = new PackTask();
  }

  CpuGrad(CpuDevice device) {
    this.device = device;
  }

  @Override
  public Tensor view(Tensor of, Layout layout, long from, int rows, int columns) {
    return ((CpuTensor) of).view(layout, from, rows, columns);
  }

  @Override
  public void read(Tensor from, long first, MemorySegment to) {
    long at = ((CpuTensor) from).numbers(first, to.byteSize() / 4);
    MemorySegment.copy(Memory.ALL, at, to, 0, to.byteSize());
  }

  @Override
  public void write(MemorySegment from, Tensor to, long first) {
    long at = ((CpuTensor) to).numbers(first, from.byteSize() / 4);
    MemorySegment.copy(from, 0, Memory.ALL, at, from.byteSize());
  }

  @Override
  public Tensor numbers(String owner, int rows, int columns) {
    Form form = new Form(owner, TensorType.F32, Layout.ROWS, rows, columns);
    return CpuTensor.make(device, form, 4L * rows * columns, true);
  }

  @Override
  public Tensor matrix(String owner, int outputs, int inputs) {
    Form form = new Form(owner, TensorType.F32, Layout.MATRIX, outputs, inputs);
    long bytes = device.kernels().packedBytes(form.type(), outputs, inputs);
    return CpuTensor.make(device, form, bytes, true);
  }

  @Override
  public void pack(Tensor matrix, Tensor rows) {
    tasks.get().pack.run(device, (CpuTensor) matrix, ((CpuTensor) rows).address, false);
  }

  @Override
  public void packTransposed(Tensor matrix, Tensor rows) {
    tasks.get().pack.run(device, (CpuTensor) matrix, ((CpuTensor) rows).address, true);
  }

  @Override
  public void matmul(Tensor dMatrix, Tensor dBiasOrNull, Tensor dy, Tensor x) {
    tasks.get().matrix.run(device, dMatrix, dBiasOrNull, dy, x);
  }

  @Override
  public Tensor attentionWorkspace(String owner, int longest) {
    int numbers = AttentionBackwardTask.numbers(longest);
    return numbers(owner, device.workers().count(), numbers);
  }

  @Override
  public void norm(
      Tensor dx,
      Tensor dWeight,
      Tensor dBiasOrNull,
      Tensor dy,
      Tensor x,
      Tensor weight,
      NormBackward how) {
    NormTask task = tasks.get().norm;
    task.weights(weight, dWeight, dBiasOrNull);
    task.run(device, dx, dy, x, how);
  }

  @Override
  public void apply(
      Activation activation, Tensor dx, Tensor dUpOrNull, Tensor dy, Tensor x, Tensor upOrNull) {
    BackwardTask task = tasks.get().backward;
    task.activation = activation;
    task.results(dx, dUpOrNull);
    task.run(device, Kind.ACTIVATE, dy, x, upOrNull);
  }

  @Override
  public void rope(Tensor dx, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    BackwardTask.check("rope backward", "position", positions, 0, angles.rows(), angles);
    BackwardTask task = tasks.get().backward;
    task.heads = heads;
    task.pairing = pairing;
    task.results(dx, null);
    task.run(device, Kind.ROPE, positions, angles, null);
  }

  @Override
  public void rows(Tensor dTable, Tensor dy, Tensor ids) {
    tasks.get().table.run(device, dTable, dy, ids);
  }

  @Override
  public void attention(
      Tensor dq, Tensor dk, Tensor dv, Tensor dOut, Attended of, AttentionBackward how) {
    AttentionBackwardTask task = tasks.get().attention;
    task.gradients(device.kernels().grad(), dq, dk, dv);
    task.operands(dOut, of.q(), of.k(), of.v());
    task.run(device, how.texts(), how.heads(), how.workspace());
  }

  @Override
  public void crossEntropy(Tensor losses, Tensor logits, Tensor targets, float factor) {
    BackwardTask.check("cross entropy", "target", targets, -1, logits.columns(), logits);
    BackwardTask task = tasks.get().backward;
    task.factor = factor;
    task.results(logits, losses);
    task.run(device, Kind.CROSS_ENTROPY, targets, null, null);
  }

  @Override
  public double sumOfSquares(Tensor x) {
    return tasks.get().sum.run(device, (CpuTensor) x, true);
  }

  @Override
  public double sum(Tensor x) {
    return tasks.get().sum.run(device, (CpuTensor) x, false);
  }

  @Override
  public void adamW(Tensor weight, Tensor gradient, Tensor m, Tensor v, AdamStep step) {
    UpdateTask task = tasks.get().update;
    task.step(step);
    task.run(device, UpdateTask.Kind.ADAM_W, weight, gradient, m, v);
  }

  @Override
  public void add(Tensor sum, Tensor[] more) {
    UpdateTask task = tasks.get().update;
    task.more = more;
    task.run(device, UpdateTask.Kind.ADD, sum, null, null, null);
  }

  @Override
  public void round(Tensor halves, Tensor x) {
    tasks.get().update.run(device, UpdateTask.Kind.ROUND, halves, x, null, null);
  }

  @Override
  public void widen(Tensor x, Tensor halves) {
    tasks.get().update.run(device, UpdateTask.Kind.WIDEN, x, halves, null, null);
  }

  @Override
  public void zero(Tensor x) {
    tasks.get().update.run(device, UpdateTask.Kind.ZERO, x, null, null, null);
  }
}
