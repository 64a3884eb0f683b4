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
  /** What is done to a row. */
  enum Kind {
    LOOK_UP(4),
    ADD(1),
    MULTIPLY(1),
    SCALE(1),
    ACTIVATE(16),
    NORM(4),
    NORM_HEADS(4),
    SOFTMAX(16),
    ROPE(4),
    MEAN(1),
    FIRST(1),
    LAST(1),
    NORMALIZE(4);

    /** Of a number, in simple operations on one. */
    private final int cost;

    Kind(int cost) {
      this.cost = cost;
    }
  }

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private RowKernels kernels;
  private AttentionKernels attention;
  private Kind kind;
  private CpuTensor out;
  private CpuTensor a;
  private CpuTensor b;
  private CpuTensor c;

  // What some kinds take besides, set before they run.

  /** What is added to the rows of a norm; or null. */
  Tensor added;

  Sequences texts;
  Activation activation;
  int heads;
  Pairing pairing;

  /** A factor, or the epsilon of a norm. */
  float number;

  void run(CpuDevice device, Kind what, Tensor result, Tensor first, Tensor second, Tensor third) {
    kernels = device.kernels().rows();
    attention = device.kernels().attention();
    kind = what;
    out = (CpuTensor) result;
    a = (CpuTensor) first;
    b = (CpuTensor) second;
    c = (CpuTensor) third;
    try {
      long rowsRead = kind == Kind.MEAN ? Math.max(1, a.rows() / Math.max(1, out.rows())) : 1;
      // A number that comes from memory takes as long as some eight operations of a product.
      device.workers().run(this, out.rows(), 8L * kind.cost * rowsRead * out.columns());
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
    switch (kind) {
      case ADD, MULTIPLY, SCALE, ACTIVATE -> numbers(from, to);
      case NORM -> norm(from, to);
      case ROPE -> rope(from, to);
      default -> {
        for (int r = from; r < to; r++) row(r);
      }
    }
  }

  /** Of kinds that do not care where rows end. */
  private void numbers(int from, int to) {
    boolean everyRow = b != null && b.rows() == 1 && out.rows() != 1;
    if (a.dense() && out.dense() && (b == null || b.dense()) && !everyRow) {
      long count = (long) (to - from) * out.columns();
      numbers(a.row(from), b == null ? 0 : b.row(from), out.row(from), count);
      return;
    }
    for (int r = from; r < to; r++) {
      long second = b == null ? 0 : b.row(everyRow ? 0 : r);
      numbers(a.row(r), second, out.row(r), out.columns());
    }
  }

  private void numbers(long x, long y, long to, long count) {
    switch (kind) {
      case ADD -> kernels.add(x, y, to, count);
      case MULTIPLY -> kernels.multiply(x, y, to, count);
      case SCALE -> kernels.scale(x, number, to, count);
      default -> kernels.apply(activation, x, y, to, count);
    }
  }

  private void norm(int from, int to) {
    CpuTensor more = (CpuTensor) added;
    kernels.norm(
        a.address,
        a.stride,
        more == null ? 0 : more.address,
        more == null ? 0 : more.stride,
        b.address,
        c == null ? 0 : c.address,
        number,
        out.address,
        out.stride,
        out.columns(),
        from,
        to);
  }

  private void row(int r) {
    int columns = out.columns();
    switch (kind) {
      case LOOK_UP -> lookUp(r);
      case NORM_HEADS -> {
        int width = b.columns();
        long row = a.row(r);
        kernels.norm(row, width, 0, 0, b.address, 0, number, row, width, width, 0, heads);
      }
      case SOFTMAX -> {
        // The kernel works in place, and on rows that see all of their keys.
        int all = Integer.MAX_VALUE;
        if (a.row(r) != out.row(r)) copy(a.row(r), out.row(r));
        attention.softmax(out.row(r), out.stride, 1, columns, 0, all, all);
      }
      case MEAN ->
          kernels.mean(
              a.address, a.stride, texts.start(r), texts.start(r + 1), columns, out.row(r));
      case FIRST -> copy(a.row(texts.start(r)), out.row(r));
      case LAST -> copy(a.row(texts.start(r + 1) - 1), out.row(r));
      case NORMALIZE -> kernels.normalize(a.row(r), columns, out.row(r));
      default -> throw new IllegalStateException("not row by row: " + kind);
    }
  }

  private void lookUp(int r) {
    TensorType type = a.type();
    int id = Memory.ALL.get(INT, b.row(r));
    if (id < 0 || id >= a.rows()) {
      throw new IllegalArgumentException(
          "rows: id %d at row %d; %s has %d rows".formatted(id, r, a, a.rows()));
    }
    long row = a.address + type.bytes(a.columns()) * id;
    Quantizer.dequantize(type, row, out.columns(), out.row(r));
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
        false,
        c.address,
        b.address,
        from,
        to);
  }

  private void copy(long from, long to) {
    Quantizer.dequantize(TensorType.F32, from, out.columns(), to);
  }
}
