package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Room;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which one thread keeps the rows that a product reads, as bytes; {@link RowFormat}
 * says how. A thread gets it at its first product, more of it when rows are longer than before, and
 * keeps it.
 *
 * <p>The distance of rows is an odd number of cache lines: at an even one they would share a part
 * of the first cache's sets, at a power of two very few.
 */
final class QuantizedRows {
  /** What may be overwritten, and read by tiles, after the last of some rows. */
  private static final int MARGIN = 256;

  private static final ThreadLocal<QuantizedRows> OWN = ThreadLocal.withInitial(QuantizedRows::new);

  private MemorySegment memory = MemorySegment.NULL;
  private final Room widened = new Room();

  /** Bytes from one row to the next. */
  long stride;

  /** The first row. */
  long first;

  /** What is left of the first row: f32, and the bytes of that. */
  long rest;

  long second;

  /** Rows that there is room for. */
  int rows;

  // What the bytes were made of, and how.

  private long epoch;
  private long from;
  private int fromRows;
  private int fromInputs;
  private RowFormat format;

  /** Where the second bytes were put, which depends on how many rows there was room for; or 0. */
  private long fine;

  private QuantizedRows() {}

  static QuantizedRows own() {
    return OWN.get();
  }

  /**
   * Makes room for rows of so many inputs, in tiles; at most as many as asked for.
   *
   * @param as how they will lie
   * @param held bytes that they take together at most, about
   * @param fine whether there is room for what is left of them, too
   */
  void room(RowFormat as, int inputs, int wanted, int tile, long held, boolean fine) {
    stride = as.bytes(inputs) + 63 & -64 | 64;
    long bytes = fine ? 2 * stride + 4L * inputs : stride;
    int most = (int) Math.max(1, held / bytes / tile) * tile;
    rows = Math.min(wanted, most);
    if (memory.byteSize() < bytes * rows + 2 * MARGIN) {
      memory = Arena.ofAuto().allocate(Math.max(bytes * most, held) + 2 * MARGIN, Memory.ALIGNMENT);
      fromRows = 0;
    }
    first = memory.address();
    second = first + stride * rows;
    rest = second + stride * rows + MARGIN;
  }

  /** What is made of a row that others follow whom other threads make: nobody writes past it. */
  static long sharedStride(RowFormat as, int inputs) {
    return as.bytes(inputs) + 64 + 63 & -64 | 64;
  }

  /** Takes rows that were made for all. */
  void take(long sharedFirst, long sharedStride) {
    first = sharedFirst;
    stride = sharedStride;
  }

  /** A place for what is made of a panel: all of it for tiles, else its scales. */
  long panel(long bytes) {
    return widened.of(bytes);
  }

  /**
   * Whether rows are here as bytes. If not, they are from now on: whoever asks makes them.
   *
   * @param now the same as the last time if no number of theirs has changed since; else 0
   */
  boolean has(long now, long x, int count, int inputs, RowFormat as, boolean asFine) {
    boolean same = now != 0 && now == epoch && from == x && fromRows == count;
    same &= fromInputs == inputs && as.equals(format);
    if (same && (!asFine || fine == second)) return true;
    epoch = now;
    from = x;
    fromRows = count;
    fromInputs = inputs;
    format = as;
    fine = asFine ? second : 0;
    return false;
  }
}
