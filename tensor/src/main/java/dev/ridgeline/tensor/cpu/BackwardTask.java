package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.RowKernels;
import java.lang.foreign.ValueLayout;

/** A gradient whose rows are independent of each other. */
final class BackwardTask implements Workers.Task {
  /** What it is the gradient of. */
  enum Kind {
    ACTIVATE(24),
    ROPE(4),
    CROSS_ENTROPY(16);

    /** Of a number, in simple operations on one. */
    private final int cost;

    Kind(int cost) {
      this.cost = cost;
    }
  }

  private GradKernels kernels;
  private RowKernels rows;
  private Kind kind;
  private CpuTensor out;
  private CpuTensor second;
  private CpuTensor a;
  private CpuTensor b;
  private CpuTensor c;

  // What some kinds take besides, set before they run.

  Activation activation;
  int heads;
  Pairing pairing;
  float factor;

  /** Refuses the first integer that is outside of a range. */
  static void check(String op, String what, Tensor integers, int from, int to, Tensor of) {
    for (int r = 0; r < integers.rows(); r++) {
      int value = Memory.ALL.get(ValueLayout.JAVA_INT, ((CpuTensor) integers).row(r));
      if (value < from || value >= to) {
        throw new IllegalArgumentException(
            "%s: %s %d at row %d; %s has %d to %d".formatted(op, what, value, r, of, from, to - 1));
      }
    }
  }

  /** Says what {@link #run(CpuDevice, Kind, Tensor, Tensor, Tensor)} writes. */
  void results(Tensor first, Tensor otherOrNull) {
    out = (CpuTensor) first;
    second = (CpuTensor) otherOrNull;
  }

  void run(CpuDevice device, Kind what, Tensor first, Tensor other, Tensor third) {
    kernels = device.kernels().grad();
    rows = device.kernels().rows();
    kind = what;
    a = (CpuTensor) first;
    b = (CpuTensor) other;
    c = (CpuTensor) third;
    try {
      device.workers().run(this, out.rows(), 8L * kind.cost * out.columns());
    } finally {
      results(null, null);
      a = null;
      b = null;
      c = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    switch (kind) {
      case ACTIVATE -> {
        boolean dense = out.dense() && a.dense() && b.dense();
        if (c != null) dense &= second.dense() && c.dense();
        if (dense) activate(from, (long) (to - from) * out.columns());
        else for (int r = from; r < to; r++) activate(r, out.columns());
      }
      case ROPE ->
          rows.rope(
              out.address,
              out.stride,
              heads,
              out.columns() / heads,
              b.columns(),
              pairing,
              true,
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
              factor,
              from,
              to);
    }
  }

  private void activate(int row, long count) {
    long dUp = second == null ? 0 : second.row(row);
    long up = c == null ? 0 : c.row(row);
    kernels.apply(activation, out.row(row), dUp, a.row(row), b.row(row), up, count);
  }
}
