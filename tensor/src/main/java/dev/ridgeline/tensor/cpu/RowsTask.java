package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.RowKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.ValueLayout;

/** An operation whose rows are independent of each other. */
final class RowsTask implements Workers.Task {
  private enum Operation {
    LOOK_UP,
    ADD,
    MULTIPLY,
    SCALE,
    LAYER_NORM,
    RMS_NORM,
    RMS_NORM_HEADS,
    APPLY,
    SOFTMAX,
    ROPE,
    MEAN,
    FIRST,
    LAST,
    NORMALIZE
  }

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private RowKernels kernels;
  private AttentionKernels attention;
  private Operation operation;
  private Activation activation;
  private CpuTensor out;
  private CpuTensor a;
  private CpuTensor b;
  private CpuTensor c;

  /** What is added to the rows of a norm; or null. */
  private CpuTensor added;

  private Sequences texts;
  private int heads;
  private Pairing pairing;
  private float number;

  void lookUp(CpuDevice device, Tensor result, Tensor table, Tensor ids) {
    run(device, Operation.LOOK_UP, result, table, ids, null, result.rows(), 4);
  }

  void add(CpuDevice device, Tensor result, Tensor x, Tensor y) {
    run(device, Operation.ADD, result, x, y, null, result.rows(), 1);
  }

  void multiply(CpuDevice device, Tensor result, Tensor x, Tensor y) {
    run(device, Operation.MULTIPLY, result, x, y, null, result.rows(), 1);
  }

  void scale(CpuDevice device, Tensor result, Tensor x, float factor) {
    number = factor;
    run(device, Operation.SCALE, result, x, null, null, result.rows(), 1);
  }

  void layerNorm(
      CpuDevice device,
      Tensor result,
      Tensor x,
      Tensor yOrNull,
      Tensor weight,
      Tensor bias,
      float epsilon) {
    number = epsilon;
    added = (CpuTensor) yOrNull;
    run(device, Operation.LAYER_NORM, result, x, weight, bias, result.rows(), 4);
  }

  void rmsNorm(CpuDevice device, Tensor result, Tensor x, Tensor weight, float epsilon) {
    number = epsilon;
    run(device, Operation.RMS_NORM, result, x, weight, null, result.rows(), 4);
  }

  void rmsNormHeads(CpuDevice device, Tensor x, int count, Tensor weight, float epsilon) {
    number = epsilon;
    heads = count;
    run(device, Operation.RMS_NORM_HEADS, x, x, weight, null, x.rows(), 4);
  }

  void apply(CpuDevice device, Activation function, Tensor result, Tensor x, Tensor upOrNull) {
    activation = function;
    run(device, Operation.APPLY, result, x, upOrNull, null, result.rows(), 16);
  }

  void softmax(CpuDevice device, Tensor result, Tensor x) {
    run(device, Operation.SOFTMAX, result, x, null, null, result.rows(), 16);
  }

  void rope(CpuDevice device, Tensor x, int count, Tensor positions, Tensor angles, Pairing pairs) {
    heads = count;
    pairing = pairs;
    run(device, Operation.ROPE, x, x, positions, angles, x.rows(), 4);
  }

  void mean(CpuDevice device, Tensor result, Tensor x, Sequences of) {
    texts = of;
    int each = Math.max(1, of.rows() / Math.max(1, of.count()));
    run(device, Operation.MEAN, result, x, null, null, of.count(), each);
  }

  void first(CpuDevice device, Tensor result, Tensor x, Sequences of) {
    texts = of;
    run(device, Operation.FIRST, result, x, null, null, of.count(), 1);
  }

  void last(CpuDevice device, Tensor result, Tensor x, Sequences of) {
    texts = of;
    run(device, Operation.LAST, result, x, null, null, of.count(), 1);
  }

  void normalize(CpuDevice device, Tensor result, Tensor x) {
    run(device, Operation.NORMALIZE, result, x, null, null, result.rows(), 4);
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
      Tensor first,
      Tensor second,
      Tensor third,
      int rows,
      int cost) {
    kernels = device.kernels().rows();
    attention = device.kernels().attention();
    operation = what;
    out = (CpuTensor) result;
    a = (CpuTensor) first;
    b = (CpuTensor) second;
    c = (CpuTensor) third;
    try {
      // A number that comes from memory takes as long as some eight operations of a product.
      device.workers().run(this, rows, 8L * cost * out.columns());
    } finally {
      out = null;
      a = null;
      b = null;
      c = null;
      added = null;
      texts = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    switch (operation) {
      case LOOK_UP -> lookUp(from, to);
      case ADD -> add(from, to);
      case MULTIPLY -> {
        if (dense() && b.dense()) {
          kernels.multiply(a.row(from), b.row(from), out.row(from), numbers(from, to));
        } else {
          for (int r = from; r < to; r++) {
            kernels.multiply(a.row(r), b.row(r), out.row(r), out.columns());
          }
        }
      }
      case SCALE -> {
        if (dense()) kernels.scale(a.row(from), number, out.row(from), numbers(from, to));
        else {
          for (int r = from; r < to; r++) {
            kernels.scale(a.row(r), number, out.row(r), out.columns());
          }
        }
      }
      case LAYER_NORM ->
          kernels.norm(
              a.address,
              a.stride,
              added == null ? 0 : added.address,
              added == null ? 0 : added.stride,
              b.address,
              c.address,
              number,
              out.address,
              out.stride,
              out.columns(),
              from,
              to);
      case RMS_NORM ->
          kernels.norm(
              a.address,
              a.stride,
              0,
              0,
              b.address,
              0,
              number,
              out.address,
              out.stride,
              out.columns(),
              from,
              to);
      case RMS_NORM_HEADS -> {
        int width = b.columns();
        for (int r = from; r < to; r++) {
          long row = a.row(r);
          kernels.norm(row, width, 0, 0, b.address, 0, number, row, width, width, 0, heads);
        }
      }
      case APPLY -> {
        if (dense() && (b == null || b.dense())) apply(from, numbers(from, to));
        else {
          for (int r = from; r < to; r++) apply(r, out.columns());
        }
      }
      case SOFTMAX -> softmax(from, to);
      case ROPE -> rope(from, to);
      case MEAN -> {
        for (int t = from; t < to; t++) {
          kernels.mean(
              a.address, a.stride, texts.start(t), texts.start(t + 1), out.columns(), out.row(t));
        }
      }
      case FIRST -> {
        for (int t = from; t < to; t++) copy(a.row(texts.start(t)), out.row(t));
      }
      case LAST -> {
        for (int t = from; t < to; t++) copy(a.row(texts.start(t + 1) - 1), out.row(t));
      }
      case NORMALIZE -> {
        for (int r = from; r < to; r++) kernels.normalize(a.row(r), out.columns(), out.row(r));
      }
    }
  }

  private void lookUp(int from, int to) {
    TensorType type = a.type();
    long bytes = type.bytes(a.columns());
    for (int r = from; r < to; r++) {
      int id = Memory.ALL.get(INT, b.row(r));
      if (id < 0 || id >= a.rows()) {
        throw new IllegalArgumentException(
            "rows: id %d at row %d; %s has %d rows".formatted(id, r, a, a.rows()));
      }
      Quantizer.dequantize(type, a.address + bytes * id, out.columns(), out.row(r));
    }
  }

  private void apply(int row, long count) {
    kernels.apply(activation, a.row(row), b == null ? 0 : b.row(row), out.row(row), count);
  }

  private void add(int from, int to) {
    boolean everyRow = b.rows() == 1 && out.rows() != 1;
    if (dense() && b.dense() && !everyRow) {
      kernels.add(a.row(from), b.row(from), out.row(from), numbers(from, to));
      return;
    }
    for (int r = from; r < to; r++) {
      kernels.add(a.row(r), everyRow ? b.address : b.row(r), out.row(r), out.columns());
    }
  }

  /** The kernel works in place, and on rows that see all of their keys. */
  private void softmax(int from, int to) {
    int all = Integer.MAX_VALUE;
    for (int r = from; r < to; r++) {
      if (a.row(r) != out.row(r)) copy(a.row(r), out.row(r));
      attention.softmax(out.row(r), out.stride, 1, out.columns(), 0, all, all);
    }
  }

  private void rope(int from, int to) {
    for (int r = from; r < to; r++) {
      int position = Memory.ALL.get(INT, b.row(r));
      if (position < 0 || position >= c.rows()) {
        throw new IllegalArgumentException(
            "rope: position %d at row %d; there are angles for %d"
                .formatted(position, r, c.rows()));
      }
    }
    kernels.rope(
        a.address,
        a.stride,
        heads,
        a.columns() / heads,
        c.columns(),
        pairing,
        c.address,
        b.address,
        from,
        to);
  }

  private void copy(long from, long to) {
    Quantizer.dequantize(TensorType.F32, from, out.columns(), to);
  }

  private boolean dense() {
    return a.dense() && out.dense();
  }

  private long numbers(int from, int to) {
    return (long) (to - from) * out.columns();
  }
}
