package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The width of vectors, chosen once, and how they meet memory. */
final class Lanes {
  /** Numbers in a vector: what the machine has, or 4, 8 or 16 to try another machine's width. */
  static final int COUNT =
      Integer.getInteger(
          "ridgeline.lanes", Math.clamp(FloatVector.SPECIES_PREFERRED.length(), 4, 16));

  /** Bytes of a vector of f32. */
  static final int BYTES = 4 * COUNT;

  static final VectorSpecies<Float> F =
      VectorSpecies.of(float.class, VectorShape.forBitSize(32 * COUNT));
  static final VectorSpecies<Integer> I =
      VectorSpecies.of(int.class, VectorShape.forBitSize(32 * COUNT));
  static final VectorSpecies<Short> S =
      VectorSpecies.of(short.class, VectorShape.forBitSize(16 * COUNT));

  /**
   * There is no vector of four bytes: eight are read and four used, so packed memory has a margin.
   */
  static final VectorSpecies<Byte> B =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, 8 * COUNT)));

  static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

  // The aligned layouts: C2 drops their checks from loops, those of the unaligned ones it keeps.
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Lanes() {}

  static float get(long address) {
    return ALL.get(FLOAT, address);
  }

  static void set(long address, float value) {
    ALL.set(FLOAT, address, value);
  }

  /** A few numbers, one by one: the end of a row to a whole vector's place, or back. */
  static void copy(long from, long to, int count) {
    for (int i = 0; i < count; i++) set(to + 4L * i, get(from + 4L * i));
  }

  /** Where the whole vectors of so many numbers end. */
  static int whole(int count) {
    return count & -COUNT;
  }

  static long whole(long count) {
    return count & -COUNT;
  }

  /** The sum of a vector that was stored, in the order of its lanes. */
  static double sum(long address) {
    double sum = 0;
    for (int i = 0; i < COUNT; i++) sum += get(address + 4L * i);
    return sum;
  }
}
