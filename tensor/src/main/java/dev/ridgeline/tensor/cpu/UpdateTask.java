package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.kernel.AdamRates;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.RowKernels;

/**
 * Changes every number by itself. A unit is a block of numbers, or a row where there are gaps
 * between rows.
 */
final class UpdateTask implements Workers.Task {
  private enum Operation {
    ADAM_W,
    ADD,
    ZERO,
    ROUND,
    WIDEN
  }

  private static final int BLOCK = 4096;

  private RowKernels kernels;
  private GradKernels grad;
  private Operation operation;
  private CpuTensor out;
  private CpuTensor a;
  private CpuTensor m;
  private CpuTensor v;

  /** What is added, one after the other. */
  private Tensor[] more;

  private boolean dense;
  private final AdamRates rates = new AdamRates();

  void adamW(
      CpuDevice device,
      Tensor weight,
      Tensor gradient,
      Tensor mean,
      Tensor squares,
      AdamStep step) {
    rates.factor = (float) step.factor;
    rates.beta1 = (float) step.beta1;
    rates.rest1 = (float) (1 - step.beta1);
    rates.beta2 = (float) step.beta2;
    rates.rest2 = (float) (1 - step.beta2);
    rates.keep = (float) (1 - step.rate * step.decay);
    rates.rate = (float) (step.rate / step.correction1);
    rates.root = (float) (1 / Math.sqrt(step.correction2));
    rates.epsilon = (float) step.epsilon;
    run(device, Operation.ADAM_W, weight, gradient, mean, squares, 4);
  }

  void add(CpuDevice device, Tensor sum, Tensor[] tensors) {
    more = tensors;
    try {
      run(device, Operation.ADD, sum, null, null, null, tensors.length);
    } finally {
      more = null;
    }
  }

  void zero(CpuDevice device, Tensor x) {
    run(device, Operation.ZERO, x, null, null, null, 1);
  }

  void round(CpuDevice device, Tensor halves, Tensor x) {
    run(device, Operation.ROUND, halves, x, null, null, 1);
  }

  void widen(CpuDevice device, Tensor x, Tensor halves) {
    run(device, Operation.WIDEN, x, halves, null, null, 1);
  }

  private void run(
      CpuDevice device,
      Operation what,
      Tensor result,
      Tensor operand,
      Tensor mean,
      Tensor squares,
      int cost) {
    kernels = device.kernels().rows();
    grad = device.kernels().grad();
    operation = what;
    out = (CpuTensor) result;
    a = (CpuTensor) operand;
    m = (CpuTensor) mean;
    v = (CpuTensor) squares;
    dense = out.dense() && dense(a) && dense(m) && dense(v);
    if (more != null) for (Tensor each : more) dense &= dense((CpuTensor) each);
    try {
      long units = dense ? (numbers() + BLOCK - 1) / BLOCK : out.rows();
      long each = dense ? BLOCK : out.columns();
      device.workers().run(this, Math.toIntExact(units), 8L * cost * each);
    } finally {
      out = null;
      a = null;
      m = null;
      v = null;
    }
  }

  private static boolean dense(CpuTensor tensorOrNull) {
    return tensorOrNull == null || tensorOrNull.dense();
  }

  private long numbers() {
    return (long) out.rows() * out.columns();
  }

  @Override
  public void run(int worker, int from, int to) {
    if (operation == Operation.ADD) {
      for (int unit = from; unit < to; unit++) add(unit);
      return;
    }
    if (dense) {
      long first = (long) from * BLOCK;
      long count = Math.min(numbers(), (long) to * BLOCK) - first;
      change(at(out, first), at(a, first), at(m, first), at(v, first), count);
      return;
    }
    for (int r = from; r < to; r++) {
      change(row(out, r), row(a, r), row(m, r), row(v, r), out.columns());
    }
  }

  /** All of them to one block, which stays in the first cache meanwhile. */
  private void add(int unit) {
    long first = (long) unit * BLOCK;
    long count = dense ? Math.min(BLOCK, numbers() - first) : out.columns();
    long sum = dense ? at(out, first) : row(out, unit);
    for (Tensor each : more) {
      var tensor = (CpuTensor) each;
      kernels.add(sum, dense ? at(tensor, first) : row(tensor, unit), sum, count);
    }
  }

  private static long at(CpuTensor tensor, long number) {
    return tensor == null ? 0 : tensor.address + tensor.type().bytes(number);
  }

  private static long row(CpuTensor tensor, int row) {
    return at(tensor, tensor == null ? 0 : (long) tensor.stride * row);
  }

  private void change(long to, long from, long mean, long squares, long count) {
    switch (operation) {
      case ADAM_W -> kernels.adamW(to, from, mean, squares, count, rates);
      case ZERO -> grad.zero(to, count);
      case ROUND -> grad.round(to, from, count);
      case WIDEN -> grad.widen(to, from, count);
      case ADD -> throw new IllegalStateException("added by blocks");
    }
  }
}
