package dev.ridgeline.tensor.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One key of a GGUF file's metadata and where its value lies, which is read when asked for.
 *
 * @param type of an array the type of its elements
 * @param count of an array how many; −1 for all else
 * @param values offset of the first value
 * @param encoded the value as the file has it, type first
 */
record Entry(
    Path path,
    String key,
    ValueType type,
    long count,
    MemorySegment file,
    long values,
    MemorySegment encoded) {
  /** A string beyond this is damage, not text. */
  private static final long LONGEST_STRING = 1 << 28;

  boolean array() {
    return count >= 0;
  }

  /** In a word: {@code u32}, {@code string}, {@code f32[32000]}. */
  String kind() {
    return array() ? "%s[%d]".formatted(type.word(), count) : type.word();
  }

  /** The same with no more than so many elements. */
  Entry first(int most) {
    return new Entry(path, key, type, Math.min(count, most), file, values, encoded);
  }

  /** The values as the file has them; not of strings. */
  private ByteBuffer numbers() {
    return file.asSlice(values, Math.abs(count) * type.bytes())
        .asByteBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  long whole() {
    return whole(numbers(), 0);
  }

  private long whole(ByteBuffer numbers, int index) {
    int at = index * type.bytes();
    return switch (type) {
      case U8 -> Byte.toUnsignedLong(numbers.get(at));
      case I8 -> numbers.get(at);
      case U16 -> Short.toUnsignedLong(numbers.getShort(at));
      case I16 -> numbers.getShort(at);
      case U32 -> Integer.toUnsignedLong(numbers.getInt(at));
      case I32 -> numbers.getInt(at);
      case U64, I64 -> {
        long value = numbers.getLong(at);
        if (type == ValueType.U64 && value < 0) throw tooLarge(Long.toUnsignedString(value));
        yield value;
      }
      default -> throw new IllegalStateException(kind());
    };
  }

  int integer() {
    return integer(numbers(), 0);
  }

  private int integer(ByteBuffer numbers, int index) {
    long value = whole(numbers, index);
    if ((int) value != value) throw tooLarge(Long.toString(value));
    return (int) value;
  }

  double floating() {
    return floating(numbers(), 0);
  }

  private double floating(ByteBuffer numbers, int index) {
    return type == ValueType.F32 ? numbers.getFloat(4 * index) : numbers.getDouble(8 * index);
  }

  boolean flag() {
    return numbers().get(0) != 0;
  }

  String string() {
    return strings(1)[0];
  }

  List<String> strings() {
    return Collections.unmodifiableList(Arrays.asList(strings((int) count)));
  }

  private String[] strings(int most) {
    Window window = new Window(file);
    String[] strings = new String[most];
    long at = values;
    for (int i = 0; i < most; i++) {
      long length = window.whole(at);
      if (length > LONGEST_STRING) throw wrong("holds a string of %,d bytes".formatted(length));
      strings[i] = window.text(at + 8, (int) length);
      at += 8 + length;
    }
    return strings;
  }

  float[] floats() {
    float[] floats = new float[(int) count];
    ByteBuffer numbers = numbers();
    if (type == ValueType.F32) numbers.asFloatBuffer().get(floats);
    else for (int i = 0; i < floats.length; i++) floats[i] = (float) floating(numbers, i);
    return floats;
  }

  double[] doubles() {
    double[] doubles = new double[(int) count];
    ByteBuffer numbers = numbers();
    for (int i = 0; i < doubles.length; i++) doubles[i] = floating(numbers, i);
    return doubles;
  }

  int[] integers() {
    int[] integers = new int[(int) count];
    ByteBuffer numbers = numbers();
    if (type == ValueType.I32) numbers.asIntBuffer().get(integers);
    else for (int i = 0; i < integers.length; i++) integers[i] = integer(numbers, i);
    return integers;
  }

  long[] wholes() {
    long[] wholes = new long[(int) count];
    ByteBuffer numbers = numbers();
    for (int i = 0; i < wholes.length; i++) wholes[i] = whole(numbers, i);
    return wholes;
  }

  boolean[] flags() {
    boolean[] flags = new boolean[(int) count];
    ByteBuffer numbers = numbers();
    for (int i = 0; i < flags.length; i++) flags[i] = numbers.get(i) != 0;
    return flags;
  }

  GgufException wrong(String reason) {
    return new GgufException(path, "metadata %s %s".formatted(key, reason));
  }

  private GgufException tooLarge(String value) {
    return wrong("holds %s, which is out of range".formatted(value));
  }
}
