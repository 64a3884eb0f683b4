package dev.ridgeline.model.imports;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf messages, for files that tests are made of. */
final class Proto {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Proto number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  Proto real(int field, float value) {
    varint((long) field << 3 | 5);
    int bits = Float.floatToIntBits(value);
    for (int shift = 0; shift < 32; shift += 8) out.write(bits >>> shift);
    return this;
  }

  Proto string(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Proto message(int field, Proto value) {
    return bytes(field, value.bytes());
  }

  Proto bytes(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** Fields that are written already. */
  Proto raw(byte[] fields) {
    out.writeBytes(fields);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
