package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Multiplies with matrices of any type, packed as the file has them: weights of a panel become f32
 * by plain Java, and meet many rows before the next ones do. For JVMs without vector kernels, which
 * are as fast and decode faster.
 */
final class DecodedMultiplier implements Multiplier {
  private static final int LINE = 4 * PANEL;

  /** Inputs that are decoded at a time; whole blocks of every type. */
  private static final int DEPTH = 1024;

  /** Rows that meet a decoded panel. */
  private static final int ROWS = 480;

  /** Inputs whose line of the panel stays in the cache while all its outputs are written. */
  private static final int STEP = 16;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  /** What a thread decodes to, and rows that would crowd the cache where they are. */
  private static final class Scratch {
    static final long STRIDE = 4L * DEPTH + 64 * FloatMultiplier.SPREAD;
    private final MemorySegment memory =
        Arena.ofAuto().allocate((long) LINE * DEPTH + (PANEL + ROWS) * STRIDE, Memory.ALIGNMENT);
    final long panel = memory.address();
    final long outputs = panel + (long) LINE * DEPTH;
    final long rows = outputs + PANEL * STRIDE;
  }

  private final TensorType type;
  private final FloatMultiplier floats = new FloatMultiplier(false);

  DecodedMultiplier(TensorType type) {
    this.type = type;
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return Math.multiplyExact(type.bytes(inputs), (long) outputs);
  }

  @Override
  public void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long from = type.bytes(inputs) * panelFrom * PANEL;
    long to = type.bytes(inputs) * Math.min((long) panelTo * PANEL, outputs);
    MemorySegment.copy(ALL, rows + from, ALL, packed + from, to - from);
  }

  @Override
  public void multiply(
      long packed,
      int outputs,
      int inputs,
      long x,
      int xStride,
      int rowFrom,
      int rowTo,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      int outStride) {
    Scratch own = OWN.get();
    long rowBytes = type.bytes(inputs);
    for (int row = rowFrom; row < rowTo; row += ROWS) {
      int rows = Math.min(ROWS, rowTo - row);
      for (int first = 0; first < inputs; first += DEPTH) {
        int part = Math.min(DEPTH, inputs - first);
        long at = x + 4L * xStride * row + 4L * first;
        long stride = 4L * xStride;
        // Once for all panels.
        if (FloatMultiplier.crowded(stride)) {
          copy(at, stride, rows, part, own.rows);
          at = own.rows;
          stride = Scratch.STRIDE;
        }
        for (int panel = panelFrom; panel < panelTo; panel++) {
          int columns = Math.min(PANEL, outputs - panel * PANEL);
          long stored = packed + rowBytes * PANEL * panel + type.bytes(first);
          decode(own, stored, rowBytes, columns, part);
          long begin = bias == 0 ? 0 : bias + (long) LINE * panel;
          floats.multiply(
              own.panel,
              LINE,
              0,
              columns,
              part,
              at,
              stride,
              rows,
              1,
              first == 0 ? begin : FloatProduct.ADD,
              out + 4L * outStride * row + (long) LINE * panel,
              4L * outStride);
        }
      }
    }
  }

  private static void copy(long x, long stride, int rows, int inputs, long to) {
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(ALL, x + row * stride, ALL, to + row * Scratch.STRIDE, 4L * inputs);
    }
  }

  /** Outputs that a panel has too many keep what was there: nobody looks at their sums. */
  private void decode(Scratch own, long stored, long rowBytes, int columns, int inputs) {
    for (int o = 0; o < columns; o++) {
      Quantizer.dequantize(type, stored + o * rowBytes, inputs, own.outputs + o * Scratch.STRIDE);
    }
    for (int first = 0; first < inputs; first += STEP) {
      int end = Math.min(inputs, first + STEP);
      for (int o = 0; o < columns; o++) turn(own, o, first, end);
    }
  }

  private static void turn(Scratch own, int output, int first, int end) {
    long from = own.outputs + output * Scratch.STRIDE;
    long to = own.panel + 4L * output;
    for (int i = first; i < end; i++) {
      ALL.set(INT, to + (long) LINE * i, ALL.get(INT, from + 4L * i));
    }
  }
}
