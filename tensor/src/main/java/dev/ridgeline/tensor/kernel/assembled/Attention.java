package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Attention of one head over rows: keys and values are laid like weights, and products do the rest.
 */
final class Attention {
  private static final int LINE = 4 * PANEL;
  private static final int LANES = 16;

  private static final MethodHandle TRANSPOSE = Code.of("keys-avx512", Transposer.code(), 5);
  private static final MethodHandle COPY = Code.of("values-avx512", RowCopier.code(), 5);
  private static final MethodHandle SOFTMAX = Code.of("softmax-avx512", RowSoftmax.code(), 6);

  private static final ThreadLocal<Attention> OWN = ThreadLocal.withInitial(Attention::new);

  private final Multiplier products = new FloatMultiplier(false);

  /** Keys or values as panels; grows, and is kept. */
  private MemorySegment panels = MemorySegment.NULL;

  /** The rows of a panel that has not all of them. */
  private MemorySegment rows = MemorySegment.NULL;

  private Attention() {}

  static Attention own() {
    return OWN.get();
  }

  private static MemorySegment room(MemorySegment memory, long bytes) {
    if (memory.byteSize() >= bytes) return memory;
    return Arena.ofAuto().allocate(Math.max(bytes, 2 * memory.byteSize()), Memory.ALIGNMENT);
  }

  void scores(
      long q,
      int qStride,
      int queries,
      long k,
      int kStride,
      int keys,
      int width,
      float scale,
      long out,
      int outStride) {
    int count = (keys + PANEL - 1) / PANEL;
    long panelBytes = (long) LINE * width;
    // The last panel has room up to a multiple of 16 lines; the others have the next one's.
    panels = room(panels, count * panelBytes + (long) LINE * LANES);
    long at = panels.address();
    for (int panel = 0; panel < count; panel++) {
      long from = k + 4L * kStride * PANEL * panel;
      long stride = 4L * kStride;
      int there = Math.min(PANEL, keys - panel * PANEL);
      if (there < PANEL) {
        rows = room(rows, panelBytes);
        for (int row = 0; row < there; row++) {
          MemorySegment.copy(
              ALL, from + row * stride, ALL, rows.address() + 4L * width * row, 4L * width);
        }
        from = rows.address();
        stride = 4L * width;
      }
      transpose(from, stride, width, at + panel * panelBytes, scale);
    }
    products.multiply(at, keys, width, q, qStride, 0, queries, 0, count, 0, out, outStride);
  }

  void mix(
      long p,
      int pStride,
      int queries,
      long v,
      int vStride,
      int keys,
      int width,
      long out,
      int outStride) {
    int count = (width + PANEL - 1) / PANEL;
    long panelBytes = (long) LINE * keys;
    panels = room(panels, count * panelBytes);
    long at = panels.address();
    for (int panel = 0; panel < count; panel++) {
      int columns = Math.min(PANEL, width - panel * PANEL);
      copy(v + (long) LINE * panel, 4L * vStride, keys, at + panel * panelBytes, columns);
    }
    products.multiply(at, width, keys, p, pStride, 0, queries, 0, count, 0, out, outStride);
  }

  private static void transpose(long from, long stride, long width, long to, float scale) {
    try {
      TRANSPOSE.invokeExact(from, stride, width, to, (long) Float.floatToRawIntBits(scale));
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }

  private static void copy(long from, long stride, long count, long to, long columns) {
    try {
      COPY.invokeExact(from, stride, count, to, columns);
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }

  static void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    try {
      SOFTMAX.invokeExact(
          x,
          4L * stride,
          (long) rows,
          (long) keys,
          (long) firstQuery - before,
          (long) firstQuery + after + 1);
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }
}
