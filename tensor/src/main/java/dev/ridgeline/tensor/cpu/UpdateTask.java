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
  /** What is done to a number. */
  enum Kind {
    ADAM_W,
    ADD,
    ZERO,
    ROUND,
    WIDEN
  }

  private static final int BLOCK = 4096;

  private RowKernels kernels;
  private GradKernels grad;
  private Kind kind;
  private CpuTensor out;
  private CpuTensor a;
  private CpuTensor m;
  private CpuTensor v;

  /** What {@link Kind#ADD} adds, one after the other; set before it runs. */
  Tensor[] more;

  private boolean dense;
  private final AdamRates rates = new AdamRates();

  /** Sets the numbers of {@link Kind#ADAM_W}. */
  void step(AdamStep step) {
    rates.factor = (float) step.factor;
    rates.beta1 = (float) step.beta1;
    rates.rest1 = (float) (1 - step.beta1);
    rates.beta2 = (float) step.beta2;
    rates.rest2 = (float) (1 - step.beta2);
    rates.keep = (float) (1 - step.rate * step.decay);
    rates.rate = (float) (step.rate / step.correction1);
    rates.root = (float) (1 / Math.sqrt(step.correction2));
    rates.epsilon = (float) step.epsilon;
  }

  void run(
      CpuDevice device,
      Kind what,
      Tensor result,
      Tensor operandOrNull,
      Tensor meanOrNull,
      Tensor squaresOrNull) {
    kernels = device.kernels().rows();
    grad = device.kernels().grad();
    kind = what;
    out = (CpuTensor) result;
    a = (CpuTensor) operandOrNull;
    m = (CpuTensor) meanOrNull;
    v = (CpuTensor) squaresOrNull;
    dense = out.dense() && dense(a) && dense(m) && dense(v);
    int cost = kind == Kind.ADAM_W ? 4 : kind == Kind.ADD ? more.length : 1;
    if (kind == Kind.ADD) for (Tensor each : more) dense &= dense((CpuTensor) each);
    try {
      long units = dense ? (out.numbers() + BLOCK - 1) / BLOCK : out.rows();
      long each = dense ? BLOCK : out.columns();
      device.workers().run(this, Math.toIntExact(units), 8L * cost * each);
    } finally {
      out = null;
      a = null;
      m = null;
      v = null;
      more = null;
    }
  }

  private static boolean dense(CpuTensor tensorOrNull) {
    return tensorOrNull == null || tensorOrNull.dense();
  }

  @Override
  public void run(int worker, int from, int to) {
    if (kind == Kind.ADD) {
      for (int unit = from; unit < to; unit++) add(unit);
      return;
    }
    if (dense) {
      long first = (long) from * BLOCK;
      long count = Math.min(out.numbers(), (long) to * BLOCK) - first;
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
    long count = dense ? Math.min(BLOCK, out.numbers() - first) : out.columns();
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
    switch (kind) {
      case ADAM_W -> kernels.adamW(to, from, mean, squares, count, rates);
      case ZERO -> grad.zero(to, count);
      case ROUND -> grad.round(to, from, count);
      case WIDEN -> grad.widen(to, from, count);
      case ADD -> throw new IllegalStateException("added by blocks");
    }
  }
}
