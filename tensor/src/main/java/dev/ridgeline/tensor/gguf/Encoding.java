package dev.ridgeline.tensor.gguf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes as a GGUF header has them: little-endian, strings with their length before them. */
final class Encoding extends ByteArrayOutputStream {
  Encoding integer(int value) {
    for (int shift = 0; shift < 32; shift += 8) write(value >>> shift);
    return this;
  }

  Encoding whole(long value) {
    return integer((int) value).integer((int) (value >>> 32));
  }

  Encoding string(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    whole(bytes.length);
    writeBytes(bytes);
    return this;
  }

  Encoding type(ValueType type) {
    return integer(type.code());
  }

  Encoding array(ValueType type, int count) {
    return type(ValueType.ARRAY).type(type).whole(count);
  }

  /** A value with its type before it. */
  Encoding value(String key, Object value) {
    switch (value) {
      case String text -> type(ValueType.STRING).string(text);
      case Integer number -> type(number < 0 ? ValueType.I32 : ValueType.U32).integer(number);
      case Long number -> type(number < 0 ? ValueType.I64 : ValueType.U64).whole(number);
      case Float number -> type(ValueType.F32).integer(Float.floatToIntBits(number));
      case Double number -> type(ValueType.F64).whole(Double.doubleToLongBits(number));
      case Boolean flag -> type(ValueType.BOOL).write(flag ? 1 : 0);
      case String[] texts -> strings(List.of(texts));
      case List<?> texts -> strings(texts);
      case int[] numbers -> {
        array(ValueType.I32, numbers.length);
        for (int number : numbers) integer(number);
      }
      case float[] numbers -> {
        array(ValueType.F32, numbers.length);
        for (float number : numbers) integer(Float.floatToIntBits(number));
      }
      case boolean[] flags -> {
        array(ValueType.BOOL, flags.length);
        for (boolean flag : flags) write(flag ? 1 : 0);
      }
      default ->
          throw new IllegalArgumentException(
              "metadata %s cannot be %s".formatted(key, value.getClass().getSimpleName()));
    }
    return this;
  }

  private void strings(List<?> texts) {
    array(ValueType.STRING, texts.size());
    for (Object text : texts) string((String) text);
  }
}
