package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What kernels make of the rows of some products, once for all workers: where many workers share
 * the panels of the same rows, each would do the work of all.
 */
final class SharedRows implements Workers.Task {
  /** What may be read or written after the last row. */
  private static final int MARGIN = 512;

  /** A row that is read, and one that is written: operations for each number, about. */
  private static final long COST = 8;

  private MemorySegment memory = MemorySegment.NULL;
  private Kernels kernels;
  private Multiplication[] products;
  private int count;

  /** Whether there is something to make for each of them. */
  static boolean worth(Kernels kernels, Multiplication[] products, int count) {
    for (int i = 0; i < count; i++) if (kernels.sharedBytes(products[i]) == 0) return false;
    return true;
  }

  /** Makes rows for products of the same x, and says where in each. */
  void make(Workers workers, Kernels with, Multiplication[] all, int howMany, int rows) {
    kernels = with;
    products = all;
    count = howMany;
    long bytes = MARGIN;
    for (int i = 0; i < count; i++) {
      if (first(i)) bytes += with.sharedBytes(all[i]) * rows;
    }
    if (memory.byteSize() < bytes) memory = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
    long at = memory.address();
    for (int i = 0; i < count; i++) {
      if (first(i)) {
        all[i].shared = at;
        at += with.sharedBytes(all[i]) * rows;
      } else all[i].shared = all[i - 1].shared;
    }
    try {
      workers.run(this, rows, COST * all[0].inputs);
    } finally {
      products = null;
    }
  }

  /** Whether it takes other rows than the one before it. */
  private boolean first(int i) {
    return i == 0
        || products[i].type != products[i - 1].type
        || products[i].precision != products[i - 1].precision;
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int i = 0; i < count; i++) if (first(i)) kernels.share(products[i], from, to);
  }
}
