package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.GradKernels;
import java.lang.foreign.ValueLayout;

/** A gradient whose rows are independent of each other. */
final class BackwardTask implements Workers.Task {
  private enum Operation {
    APPLY,
    ROPE,
    CROSS_ENTROPY
  }

  private GradKernels kernels;
  private Operation operation;
  private Activation activation;
  private CpuTensor out;
  private CpuTensor second;
  private CpuTensor a;
  private CpuTensor b;
  private CpuTensor c;
  private int heads;
  private Pairing pairing;
  private float number;

  void apply(
      CpuDevice device,
      Activation function,
      Tensor dx,
      Tensor dUpOrNull,
      Tensor dy,
      Tensor x,
      Tensor upOrNull) {
    activation = function;
    run(device, Operation.APPLY, dx, dUpOrNull, dy, x, upOrNull, 24);
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
      case APPLY -> {
        boolean dense = out.dense() && a.dense() && b.dense();
        if (dense && (c == null || second.dense() && c.dense())) {
          apply(from, (long) (to - from) * out.columns());
        } else {
          for (int r = from; r < to; r++) apply(r, out.columns());
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

  private void apply(int row, long count) {
    long dUp = second == null ? 0 : second.row(row);
    long up = c == null ? 0 : c.row(row);
    kernels.apply(activation, out.row(row), dUp, a.row(row), b.row(row), up, count);
  }
}
