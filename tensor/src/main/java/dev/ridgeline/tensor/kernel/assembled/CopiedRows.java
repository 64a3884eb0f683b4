package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Room;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which one thread copies the rows of a panel before it packs them. They may lie in a
 * file that somebody cuts short meanwhile: Java's own copying survives that, with an error, and
 * assembled code would not.
 */
final class CopiedRows {
  private static final int CACHE_LINE = 64;

  private static final MemorySegment ZEROS = Arena.global().allocate(4096, Memory.ALIGNMENT);

  private static final ThreadLocal<CopiedRows> OWN = ThreadLocal.withInitial(CopiedRows::new);

  private final Room rows = new Room();

  private CopiedRows() {}

  static CopiedRows own() {
    return OWN.get();
  }

  /** A copy of rows, with zeros up to the stride, and rows of zeros up to a panel of them. */
  long of(long from, int count, long rowBytes, long stride) {
    long to = rows.of(PANEL * stride + CACHE_LINE);
    if (stride == rowBytes) {
      MemorySegment.copy(ALL, from, ALL, to, count * rowBytes);
    } else {
      for (int row = 0; row < count; row++) {
        MemorySegment.copy(ALL, from + row * rowBytes, ALL, to + row * stride, rowBytes);
        clear(to + row * stride + rowBytes, stride - rowBytes);
      }
    }
    clear(to + count * stride, (PANEL - count) * stride);
    return to;
  }

  /**
   * By copies: to fill a slice would allocate it, and matrices are packed in every step of
   * training.
   */
  private static void clear(long at, long bytes) {
    for (long done = 0; done < bytes; done += ZEROS.byteSize()) {
      long part = Math.min(ZEROS.byteSize(), bytes - done);
      MemorySegment.copy(ZEROS, 0, ALL, at + done, part);
    }
  }
}
