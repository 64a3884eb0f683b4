package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.GradKernels;
import java.lang.foreign.ValueLayout;

/** A gradient whose rows are independent of each other. */
final class BackwardTask implements Workers.Task {
  private enum Operation {
    GELU,
    GELU_TANH,
    SWIGLU,
    ROPE,
    CROSS_ENTROPY
  }

  private GradKernels kernels;
  private Operation operation;
  private CpuTensor out;
  private CpuTensor second;
  private CpuTensor a;
  private CpuTensor b;
  private CpuTensor c;
  private int heads;
  private Pairing pairing;
  private float number;

  void gelu(CpuDevice device, Tensor dx, Tensor dy, Tensor x) {
    run(device, Operation.GELU, dx, null, dy, x, null, 24);
  }

  void geluTanh(CpuDevice device, Tensor dx, Tensor dy, Tensor x) {
    run(device, Operation.GELU_TANH, dx, null, dy, x, null, 24);
  }

  void swiglu(CpuDevice device, Tensor dGate, Tensor dUp, Tensor dy, Tensor gate, Tensor up) {
    run(device, Operation.SWIGLU, dGate, dUp, dy, gate, up, 24);
  }

  void rope(
      CpuDevice device, Tensor dx, int count, Tensor positions, Tensor angles, Pairing pairs) {
    check("rope backward", "position", (CpuTensor) positions, 0, angles.rows(), angles);
    heads = count;
    pairing = pairs;
    run(device, Operation.ROPE, dx, null, positions, angles, null, 4);
  }

  void crossEntropy(CpuDevice device, Tensor losses, Tensor logits, Tensor targets, float factor) {
    check("cross entropy", "target", (CpuTensor) targets, -1, logits.columns(), logits);
    number = factor;
    run(device, Operation.CROSS_ENTROPY, logits, losses, targets, null, null, 16);
  }

  /** Refuses the first integer that is outside of a range. */
  static void check(String op, String what, CpuTensor integers, int from, int to, Tensor of) {
    for (int r = 0; r < integers.rows(); r++) {
      int value = Memory.ALL.get(ValueLayout.JAVA_INT, integers.row(r));
      if (value < from || value >= to) {
        throw new IllegalArgumentException(
            "%s: %s %d at row %d; %s has %d to %d".formatted(op, what, value, r, of, from, to - 1));
      }
    }
  }

  /**
   * Runs an operation.
   *
   * @param cost of a number, in simple operations on one
   */
  private void run(
      CpuDevice device,
      Operation what,
      Tensor result,
      Tensor secondResult,
      Tensor first,
      Tensor other,
      Tensor third,
      int cost) {
    kernels = device.kernels().grad();
    operation = what;
    out = (CpuTensor) result;
    second = (CpuTensor) secondResult;
    a = (CpuTensor) first;
    b = (CpuTensor) other;
    c = (CpuTensor) third;
    try {
      device.workers().run(this, out.rows(), 8L * cost * out.columns());
    } finally {
      out = null;
      second = null;
      a = null;
      b = null;
      c = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    switch (operation) {
      case GELU -> {
        if (dense()) kernels.gelu(out.row(from), a.row(from), b.row(from), numbers(from, to));
        else {
          for (int r = from; r < to; r++) {
            kernels.gelu(out.row(r), a.row(r), b.row(r), out.columns());
          }
        }
      }
      case GELU_TANH -> {
        if (dense()) kernels.geluTanh(out.row(from), a.row(from), b.row(from), numbers(from, to));
        else {
          for (int r = from; r < to; r++) {
            kernels.geluTanh(out.row(r), a.row(r), b.row(r), out.columns());
          }
        }
      }
      case SWIGLU -> {
        if (dense() && second.dense() && c.dense()) swiglu(from, numbers(from, to));
        else {
          for (int r = from; r < to; r++) swiglu(r, out.columns());
        }
      }
      case ROPE ->
          kernels.rope(
              out.address,
              out.stride,
              heads,
              out.columns() / heads,
              b.columns(),
              pairing,
              b.address,
              a.address,
              from,
              to);
      case CROSS_ENTROPY ->
          kernels.crossEntropy(
              second.address,
              second.stride,
              out.address,
              out.stride,
              a.address,
              out.columns(),
              number,
              from,
              to);
    }
  }

  private void swiglu(int row, long count) {
    kernels.swiglu(out.row(row), second.row(row), a.row(row), b.row(row), c.row(row), count);
  }

  private boolean dense() {
    return out.dense() && a.dense() && b.dense();
  }

  private long numbers(int from, int to) {
    return (long) (to - from) * out.columns();
  }
}
