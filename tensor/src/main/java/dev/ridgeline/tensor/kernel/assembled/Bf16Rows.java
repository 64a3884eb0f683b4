package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which one thread keeps the rows that a product reads, as bf16. It grows when rows
 * are longer than before, and is kept.
 *
 * <p>The distance of rows is an odd number of cache lines, so that the rows of a tile do not share
 * sets of the first cache.
 */
final class Bf16Rows {
  private static final ThreadLocal<Bf16Rows> OWN = ThreadLocal.withInitial(Bf16Rows::new);

  private MemorySegment memory = MemorySegment.NULL;

  /** Bytes from one row to the next. */
  long stride;

  /** The first row. */
  long first;

  /** Rows that there is room for. */
  int rows;

  // What they were made of.

  private long epoch;
  private long from;
  private int fromStride;
  private int fromRows;
  private int fromInputs;

  private Bf16Rows() {}

  static Bf16Rows own() {
    return OWN.get();
  }

  /**
   * Makes room for rows of so many inputs; at most as many as asked for.
   *
   * @param held bytes that they take together at most, about
   */
  void room(int inputs, int wanted, long held) {
    stride = 2L * Bf16Rounder.padded(inputs) | 64;
    int tile = Bf16TileProduct.ROWS;
    int most = (int) Math.max(1, held / stride / tile) * tile;
    rows = Math.min(wanted, most);
    if (memory.byteSize() < stride * rows) {
      memory = Arena.ofAuto().allocate(Math.max(stride * most, held), Memory.ALIGNMENT);
      fromRows = 0;
    }
    first = memory.address();
  }

  /**
   * Whether rows are here. If not, they are from now on: whoever asks makes them.
   *
   * @param now the same as the last time if no number of theirs has changed since; else 0
   */
  boolean has(long now, long x, int xStride, int count, int inputs) {
    boolean same = now != 0 && now == epoch && from == x && fromStride == xStride;
    if (same && fromRows == count && fromInputs == inputs) return true;
    epoch = now;
    from = x;
    fromStride = xStride;
    fromRows = count;
    fromInputs = inputs;
    return false;
  }
}
