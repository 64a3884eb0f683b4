package dev.ridgeline.report.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A protocol buffer message under construction: fields are appended, then it is written out. */
final class Proto {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private byte[] buffer = new byte[64];
  private int size;

  /** An integer, a flag or an enum's number; a negative one takes ten bytes. */
  Proto number(int field, long value) {
    tag(field, VARINT);
    return varint(value);
  }

  /** Eight bytes, lowest first. */
  Proto fixed64(int field, long value) {
    tag(field, FIXED64);
    room(8);
    for (int i = 0; i < 8; i++) buffer[size++] = (byte) (value >>> (8 * i));
    return this;
  }

  /** A text; half a surrogate pair, which UTF-8 cannot say, becomes a question mark. */
  Proto text(int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes(field, bytes, bytes.length);
  }

  /** A message inside this one. */
  Proto message(int field, Proto message) {
    return bytes(field, message.buffer, message.size);
  }

  /** A list of integers in one field. */
  Proto packed(int field, long... values) {
    Proto list = new Proto();
    for (long value : values) list.varint(value);
    return message(field, list);
  }

  /** Bytes so far. */
  int size() {
    return size;
  }

  /** Writes what is there and starts over: how a stream of messages is made without keeping it. */
  void flush(OutputStream out) throws IOException {
    out.write(buffer, 0, size);
    size = 0;
  }

  private Proto bytes(int field, byte[] bytes, int length) {
    tag(field, BYTES);
    varint(length);
    room(length);
    System.arraycopy(bytes, 0, buffer, size, length);
    size += length;
    return this;
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private Proto varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
    return this;
  }

  private void room(int more) {
    if (size + more > buffer.length) buffer = Arrays.copyOf(buffer, 2 * (size + more));
  }
}
