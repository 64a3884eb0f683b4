package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
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

  long whole(int index) {
    long at = values + (long) index * type.bytes();
    return switch (type) {
      case U8 -> Byte.toUnsignedLong(file.get(JAVA_BYTE, at));
      case I8 -> file.get(JAVA_BYTE, at);
      case U16 -> Short.toUnsignedLong(file.get(Cursor.SHORT, at));
      case I16 -> file.get(Cursor.SHORT, at);
      case U32 -> Integer.toUnsignedLong(file.get(Cursor.INT, at));
      case I32 -> file.get(Cursor.INT, at);
      case U64, I64 -> {
        long value = file.get(Cursor.LONG, at);
        if (type == ValueType.U64 && value < 0) throw tooLarge(Long.toUnsignedString(value));
        yield value;
      }
      default -> throw new IllegalStateException(kind());
    };
  }

  int integer(int index) {
    long value = whole(index);
    if ((int) value != value) throw tooLarge(Long.toString(value));
    return (int) value;
  }

  double floating(int index) {
    return type == ValueType.F32
        ? file.get(Cursor.FLOAT, values + 4L * index)
        : file.get(Cursor.DOUBLE, values + 8L * index);
  }

  boolean flag(int index) {
    return file.get(JAVA_BYTE, values + index) != 0;
  }

  String string() {
    return new Texts().next();
  }

  List<String> strings() {
    Texts texts = new Texts();
    String[] strings = new String[(int) count];
    Arrays.setAll(strings, _ -> texts.next());
    return Collections.unmodifiableList(Arrays.asList(strings));
  }

  float[] floats() {
    float[] floats = new float[(int) count];
    for (int i = 0; i < floats.length; i++) floats[i] = (float) floating(i);
    return floats;
  }

  double[] doubles() {
    double[] doubles = new double[(int) count];
    Arrays.setAll(doubles, this::floating);
    return doubles;
  }

  int[] integers() {
    int[] integers = new int[(int) count];
    Arrays.setAll(integers, this::integer);
    return integers;
  }

  long[] wholes() {
    long[] wholes = new long[(int) count];
    Arrays.setAll(wholes, this::whole);
    return wholes;
  }

  boolean[] flags() {
    boolean[] flags = new boolean[(int) count];
    for (int i = 0; i < flags.length; i++) flags[i] = flag(i);
    return flags;
  }

  GgufException wrong(String reason) {
    return new GgufException(path, "metadata %s %s".formatted(key, reason));
  }

  private GgufException tooLarge(String value) {
    return wrong("holds %s, which is out of range".formatted(value));
  }

  /** One string after the other, through one buffer. */
  private final class Texts {
    private byte[] buffer = new byte[64];
    private long at = values;

    String next() {
      long length = file.get(Cursor.LONG, at);
      if (length > LONGEST_STRING) throw wrong("holds a string of %,d bytes".formatted(length));
      if (length > buffer.length) buffer = new byte[Math.toIntExact(length)];
      MemorySegment.copy(file, JAVA_BYTE, at + 8, buffer, 0, (int) length);
      at += 8 + length;
      return new String(buffer, 0, (int) length, StandardCharsets.UTF_8);
    }
  }
}
