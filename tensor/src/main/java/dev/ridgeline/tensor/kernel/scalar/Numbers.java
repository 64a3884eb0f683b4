package dev.ridgeline.tensor.kernel.scalar;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Numbers in memory, by the address of the first and an index. */
final class Numbers {
  private static final MemorySegment ALL = Memory.ALL;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;

  private Numbers() {}

  static float at(long address, long index) {
    return ALL.get(FLOAT, address + 4 * index);
  }

  static void put(long address, long index, double value) {
    ALL.set(FLOAT, address + 4 * index, (float) value);
  }

  static int integer(long address, long index) {
    return ALL.get(INT, address + 4 * index);
  }

  static short half(long address, long index) {
    return ALL.get(SHORT, address + 2 * index);
  }

  static void putHalf(long address, long index, short value) {
    ALL.set(SHORT, address + 2 * index, value);
  }

  /** Σ (x − center)². */
  static double squares(long x, double center, int width) {
    double squares = 0;
    for (int i = 0; i < width; i++) {
      double off = at(x, i) - center;
      squares += off * off;
    }
    return squares;
  }

  static double sum(long x, int width) {
    double sum = 0;
    for (int i = 0; i < width; i++) sum += at(x, i);
    return sum;
  }
}
