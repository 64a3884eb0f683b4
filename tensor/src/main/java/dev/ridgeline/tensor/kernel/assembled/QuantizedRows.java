package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which one thread keeps the rows that a product reads, as bytes. A thread gets it at
 * its first product, more of it when rows are longer than before, and keeps it.
 *
 * <p>A row has its bytes, then what the sums of its blocks begin with, then their scales. Rows of
 * many inputs lie a little further apart than they are long: a distance that is a power of two
 * would put them all into a few lines of the cache.
 */
final class QuantizedRows {
  private static final int BLOCK = 32;
  private static final ThreadLocal<QuantizedRows> OWN = ThreadLocal.withInitial(QuantizedRows::new);

  private MemorySegment memory = MemorySegment.NULL;

  /** Of the first row. */
  long quants;

  long sums;
  long scales;

  /** Bytes from one row to the next. */
  long stride;

  /** Rows that there is room for. */
  int rows;

  private QuantizedRows() {}

  static QuantizedRows own() {
    return OWN.get();
  }

  /**
   * Room for rows of so many inputs, in tiles; at most as many as asked for.
   *
   * @param held bytes that they take together at most, about
   */
  QuantizedRows of(int inputs, int wanted, int tile, long held) {
    int blocks = inputs / BLOCK;
    stride = (inputs + 8L * blocks + 63 & -64) + 64;
    int most = (int) Math.max(1, held / stride / tile) * tile;
    rows = Math.min(wanted, most);
    if (memory.byteSize() < stride * rows) {
      long bytes = Math.max(stride * most, held);
      memory = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
    }
    quants = memory.address();
    sums = quants + inputs;
    scales = sums + 4L * blocks;
    return this;
  }
}
