package dev.ridgeline.model.imports;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A tensor as a file of others has it.
 *
 * @param shape slowest dimension first, as those files have it
 * @param data its numbers, little-endian, in the mapped file
 */
record StoredTensor(String name, ElementType type, List<Long> shape, MemorySegment data) {
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A vector that no file has. */
  static StoredTensor of(String name, float[] numbers) {
    MemorySegment data = MemorySegment.ofArray(new byte[numbers.length * 4]);
    for (int i = 0; i < numbers.length; i++) data.set(FLOAT, i * 4L, numbers[i]);
    return new StoredTensor(name, ElementType.F32, List.of((long) numbers.length), data);
  }

  /** How many numbers a shape has, or −1 where that is no number that a file could hold. */
  static long count(List<Long> shape) {
    long count = 1;
    for (long length : shape) {
      if (length < 0 || (length > 0 && count > Long.MAX_VALUE / 16 / length)) return -1;
      count *= length;
    }
    return count;
  }

  long count() {
    return count(shape);
  }

  /** A real number. */
  float real(long index) {
    return switch (type) {
      case F32 -> data.get(FLOAT, index * 4);
      case F16 -> Float.float16ToFloat(data.get(SHORT, index * 2));
      case BF16 -> Float.intBitsToFloat(data.get(SHORT, index * 2) << 16);
      default -> throw new IllegalStateException(name + " holds " + type);
    };
  }

  /** A whole number, as shapes in a graph are. */
  long whole(long index) {
    return switch (type) {
      case I64 -> data.get(LONG, index * 8);
      case I32 -> data.get(INT, index * 4);
      default -> throw new IllegalStateException(name + " holds " + type);
    };
  }

  boolean holdsWholes() {
    return type == ElementType.I64 || type == ElementType.I32;
  }
}
