package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.tensor.grad.NormBackward;
import dev.ridgeline.tensor.grad.Qkv;
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
    final RepackTask pack = new RepackTask();
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
    long bytes = TensorType.F32.bytes((long) rows * columns);
    return CpuTensor.make(device, owner, TensorType.F32, Layout.ROWS, rows, columns, bytes, true);
  }

  @Override
  public Tensor matrix(String owner, int outputs, int inputs) {
    TensorType type = TensorType.F32;
    long bytes = device.kernels().packedBytes(type, outputs, inputs);
    return CpuTensor.make(device, owner, type, Layout.MATRIX, outputs, inputs, bytes, true);
  }

  @Override
  public void pack(Tensor matrix, Tensor rows) {
    tasks.get().pack.run(device, (CpuTensor) matrix, (CpuTensor) rows, false);
  }

  @Override
  public void packTransposed(Tensor matrix, Tensor rows) {
    tasks.get().pack.run(device, (CpuTensor) matrix, (CpuTensor) rows, true);
  }

  @Override
  public void matmul(Tensor dMatrix, Tensor dBiasOrNull, Tensor dy, Tensor x) {
    tasks
        .get()
        .matrix
        .run(device, (CpuTensor) dMatrix, (CpuTensor) dBiasOrNull, (CpuTensor) dy, (CpuTensor) x);
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
  public void gelu(Tensor dx, Tensor dy, Tensor x) {
    tasks.get().backward.apply(device, Activation.GELU, dx, null, dy, x, null);
  }

  @Override
  public void geluTanh(Tensor dx, Tensor dy, Tensor x) {
    tasks.get().backward.apply(device, Activation.GELU_TANH, dx, null, dy, x, null);
  }

  @Override
  public void swiglu(Tensor dGate, Tensor dUp, Tensor dy, Tensor gate, Tensor up) {
    tasks.get().backward.apply(device, Activation.SILU, dGate, dUp, dy, gate, up);
  }

  @Override
  public void rope(Tensor dx, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    tasks.get().backward.rope(device, dx, heads, positions, angles, pairing);
  }

  @Override
  public void rows(Tensor dTable, Tensor dy, Tensor ids) {
    tasks.get().table.run(device, dTable, dy, ids);
  }

  @Override
  public void attention(
      Tensor dq, Tensor dk, Tensor dv, Tensor dOut, Qkv of, AttentionBackward how) {
    AttentionBackwardTask task = tasks.get().attention;
    task.gradients(device.kernels().grad(), dq, dk, dv);
    task.operands(dOut, of.q(), of.k(), of.v());
    task.run(device, how.texts(), how.heads(), how.workspace());
  }

  @Override
  public void crossEntropy(Tensor losses, Tensor logits, Tensor targets, float factor) {
    tasks.get().backward.crossEntropy(device, losses, logits, targets, factor);
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
    tasks.get().update.adamW(device, weight, gradient, m, v, step);
  }

  @Override
  public void add(Tensor sum, Tensor[] more) {
    tasks.get().update.add(device, sum, more);
  }

  @Override
  public void round(Tensor halves, Tensor x) {
    tasks.get().update.round(device, halves, x);
  }

  @Override
  public void widen(Tensor x, Tensor halves) {
    tasks.get().update.widen(device, x, halves);
  }

  @Override
  public void zero(Tensor x) {
    tasks.get().update.zero(device, x);
  }
}
