package dev.ridgeline.report.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads a protocol buffer message into its fields; whatever is not one fails. */
record ProtoReader(List<Field> fields) {
  /** A field: its number, and what it holds by wire type. */
  record Field(int number, long value, byte[] bytes) {}

  static ProtoReader of(byte[] message) {
    Cursor cursor = new Cursor(message);
    List<Field> fields = new ArrayList<>();
    while (cursor.at < message.length) {
      long tag = cursor.varint();
      int number = (int) (tag >>> 3);
      if (number == 0) throw new IllegalArgumentException("field 0");
      fields.add(
          switch ((int) (tag & 7)) {
            case 0 -> new Field(number, cursor.varint(), null);
            case 1 -> new Field(number, cursor.fixed64(), null);
            case 2 -> new Field(number, 0, cursor.bytes((int) cursor.varint()));
            default -> throw new IllegalArgumentException("wire type of " + tag);
          });
    }
    return new ProtoReader(fields);
  }

  boolean has(int number) {
    return fields.stream().anyMatch(field -> field.number == number);
  }

  long number(int number) {
    List<Field> found = all(number);
    if (found.size() > 1) throw new IllegalArgumentException("field " + number + " twice");
    return found.isEmpty() ? 0 : found.getFirst().value;
  }

  List<Long> numbers(int number) {
    return all(number).stream().map(Field::value).toList();
  }

  List<Long> packed(int number) {
    List<Long> values = new ArrayList<>();
    for (Field field : all(number)) {
      Cursor cursor = new Cursor(field.bytes);
      while (cursor.at < field.bytes.length) values.add(cursor.varint());
    }
    return values;
  }

  String text(int number) {
    return texts(number).getFirst();
  }

  List<String> texts(int number) {
    return all(number).stream().map(f -> new String(f.bytes, StandardCharsets.UTF_8)).toList();
  }

  ProtoReader message(int number) {
    return messages(number).getFirst();
  }

  List<ProtoReader> messages(int number) {
    return all(number).stream().map(field -> of(field.bytes)).toList();
  }

  private List<Field> all(int number) {
    return fields.stream().filter(field -> field.number == number).toList();
  }

  private static final class Cursor {
    private final byte[] bytes;
    private int at;

    Cursor(byte[] bytes) {
      this.bytes = bytes;
    }

    long varint() {
      long value = 0;
      for (int shift = 0; shift < 70; shift += 7) {
        byte next = bytes[at++];
        value |= (next & 0x7FL) << shift;
        if (next >= 0) return value;
      }
      throw new IllegalArgumentException("a varint without an end");
    }

    long fixed64() {
      long value = 0;
      for (int i = 0; i < 8; i++) value |= (bytes[at++] & 0xFFL) << (8 * i);
      return value;
    }

    byte[] bytes(int length) {
      if (length < 0 || length > bytes.length - at) throw new IllegalArgumentException("cut off");
      at += length;
      return Arrays.copyOfRange(bytes, at - length, at);
    }
  }
}
