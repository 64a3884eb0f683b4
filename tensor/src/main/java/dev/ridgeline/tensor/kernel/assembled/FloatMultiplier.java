package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/** Multiplies rows, some of them at a time, with each panel of f32 or f16. */
final class FloatMultiplier implements Multiplier {
  private static final int LINE = 4 * PANEL;

  /** Rows that meet a panel before the next one does; whole tiles of either width. */
  private static final int ROWS = 120;

  /** Inputs that rows and panels are read over before they are changed. */
  private static final int DEPTH = 1024;

  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 6e6;

  private static final int CACHE_LINE = 64;

  /** Sets of the first cache, and how many rows may lie in one of them. */
  private static final int SETS = 64;

  private static final int ROWS_IN_SET = 2;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final Tier TIER = AssembledKernels.tier();
  private static final int TILE = TIER == Tier.AVX2 ? 6 : 12;

  // Constants, which is what makes a call cheap.
  private static final MethodHandle F32 = product(false);
  private static final MethodHandle F16 = product(true);

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  /** What a thread rearranges rows in, and what it writes where a panel is not whole. */
  private static final class Scratch {
    private static final long STRIDE = 4L * DEPTH + CACHE_LINE;
    private final MemorySegment memory =
        Arena.ofAuto().allocate(ROWS * (STRIDE + LINE) + LINE, Memory.ALIGNMENT);
    final long rows = memory.address();
    final long panel = rows + ROWS * STRIDE;
    final long bias = panel + ROWS * LINE;
  }

  private final boolean half;

  FloatMultiplier(boolean half) {
    this.half = half;
  }

  private static MethodHandle product(boolean half) {
    String id = "%s-%s-%dx%d".formatted(half ? "f16" : "f32", TIER.word(), TILE, PANEL);
    return Code.of(id, FloatProduct.code(half, TIER.bits(), TILE), 11);
  }

  private int numberBytes() {
    return half ? 2 : 4;
  }

  private long panelBytes(int inputs) {
    return (long) inputs * PANEL * numberBytes();
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * panelBytes(inputs);
  }

  @Override
  public void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long rowBytes = (half ? TensorType.F16 : TensorType.F32).bytes(inputs);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int columns = Math.min(PANEL, outputs - panel * PANEL);
      long from = rows + (long) panel * PANEL * rowBytes;
      long to = packed + panel * panelBytes(inputs);
      // A line of the cache of each row at a time.
      int step = CACHE_LINE / numberBytes();
      for (int first = 0; first < inputs; first += step) {
        int end = Math.min(inputs, first + step);
        for (int column = 0; column < columns; column++) {
          if (half) halves(from + column * rowBytes, to, column, first, end);
          else floats(from + column * rowBytes, to, column, first, end);
        }
      }
    }
  }

  private static void floats(long row, long to, int column, int first, int end) {
    for (int i = first; i < end; i++) {
      ALL.set(INT, to + 4L * ((long) i * PANEL + column), ALL.get(INT, row + 4L * i));
    }
  }

  private static void halves(long row, long to, int column, int first, int end) {
    for (int i = first; i < end; i++) {
      ALL.set(SHORT, to + 2L * ((long) i * PANEL + column), ALL.get(SHORT, row + 2L * i));
    }
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
    long outBytes = 4L * outStride;
    for (int row = rowFrom; row < rowTo; row += ROWS) {
      int rows = Math.min(ROWS, rowTo - row);
      long from = x + 4L * xStride * row;
      long to = out + outBytes * row;
      // One row alone needs no other place and is read once.
      int depth = rows == 1 ? inputs : DEPTH;
      for (int first = 0; first < inputs; first += depth) {
        int part = Math.min(depth, inputs - first);
        long rowsAt = from + 4L * first;
        long stride = 4L * xStride;
        if (rows > 1 && crowded(stride)) {
          rowsAt = spread(rowsAt, stride, rows, part);
          stride = Scratch.STRIDE;
        }
        panels(
            packed, outputs, inputs, rowsAt, stride, rows, first, part, panelFrom, panelTo, bias,
            to, outBytes);
      }
    }
  }

  /** Whether rows at such a distance fall into too few sets of the first cache. */
  static boolean crowded(long stride) {
    if (stride % CACHE_LINE != 0) return false;
    long lines = stride / CACHE_LINE;
    long sets = SETS / Math.min(SETS, Long.lowestOneBit(lines | SETS));
    return sets * ROWS_IN_SET < TILE;
  }

  private static long spread(long x, long stride, int rows, int inputs) {
    long to = OWN.get().rows;
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(ALL, x + row * stride, ALL, to + row * Scratch.STRIDE, 4L * inputs);
    }
    return to;
  }

  private void panels(
      long packed,
      int outputs,
      int inputs,
      long x,
      long stride,
      int rows,
      int first,
      int part,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      long outBytes) {
    long panelBytes = panelBytes(inputs);
    long w = packed + (long) first * PANEL * numberBytes();
    // Registers without masks write whole panels.
    int whole = TIER == Tier.AVX2 ? Math.min(panelTo, outputs / PANEL) : panelTo;
    int most = (int) Math.clamp(CALL / ((double) PANEL * part * rows), 1, panelTo - panelFrom);
    for (int panel = panelFrom; panel < whole; panel += most) {
      int panels = Math.min(most, whole - panel);
      int last = Math.min(PANEL, outputs - (panel + panels - 1) * PANEL);
      long begin = first > 0 ? FloatProduct.ADD : bias == 0 ? 0 : bias + (long) LINE * panel;
      call(
          w + panel * panelBytes,
          x,
          stride,
          out + (long) LINE * panel,
          outBytes,
          rows,
          panels,
          panelBytes,
          part,
          begin,
          last);
    }
    if (whole < panelTo) {
      edge(
          w + whole * panelBytes,
          x,
          stride,
          rows,
          first,
          part,
          whole,
          outputs,
          bias,
          out,
          outBytes);
    }
  }

  /** The last panel, which is not whole, by way of one that is. */
  private void edge(
      long w,
      long x,
      long stride,
      int rows,
      int first,
      int part,
      int panel,
      int outputs,
      long bias,
      long out,
      long outBytes) {
    Scratch own = OWN.get();
    long to = out + (long) LINE * panel;
    long bytes = 4L * (outputs - panel * PANEL);
    long begin = 0;
    if (first > 0) {
      begin = FloatProduct.ADD;
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(ALL, to + row * outBytes, ALL, own.panel + (long) row * LINE, bytes);
      }
    } else if (bias != 0) {
      begin = own.bias;
      MemorySegment.copy(ALL, bias + (long) LINE * panel, ALL, begin, bytes);
    }
    call(w, x, stride, own.panel, LINE, rows, 1, 0, part, begin, PANEL);
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(ALL, own.panel + (long) row * LINE, ALL, to + row * outBytes, bytes);
    }
  }

  private void call(
      long w,
      long x,
      long stride,
      long c,
      long cStride,
      long rows,
      long panels,
      long panelBytes,
      long inputs,
      long begin,
      long last) {
    try {
      if (half) {
        F16.invokeExact(w, x, stride, c, cStride, rows, panels, panelBytes, inputs, begin, last);
      } else {
        F32.invokeExact(w, x, stride, c, cStride, rows, panels, panelBytes, inputs, begin, last);
      }
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }
}
