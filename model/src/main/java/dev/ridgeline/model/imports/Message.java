package dev.ridgeline.model.imports;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A walk over the fields of one protobuf message, which never leaves it.
 *
 * <p>A message that its file cuts off can be walked up to the cut, so that what was cut off can be
 * named.
 */
final class Message {
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;
  private static final int LONGEST_STRING = 1 << 16;

  private final Path path;
  private final MemorySegment file;
  private final String what;
  private final long end;
  private final boolean cut;
  private long at;
  private int field;
  private int wire;
  private long number;
  private long start;
  private long length;
  private boolean over;

  /** A file that is one message. */
  Message(Path path, MemorySegment file, String what) {
    this(path, file, what, 0, file.byteSize(), false);
  }

  private Message(Path path, MemorySegment file, String what, long at, long end, boolean cut) {
    this.path = path;
    this.file = file;
    this.what = what;
    this.at = at;
    this.end = end;
    this.cut = cut;
  }

  /** Moves to the next field and answers whether there is one. */
  boolean next() {
    if (over) throw past(); // and nobody has looked into it
    if (at == end) {
      if (cut) throw truncated(what, 0);
      return false;
    }
    long tag = varint();
    field = (int) (tag >>> 3);
    wire = (int) (tag & 7);
    if (field <= 0 || tag >>> 32 != 0) throw wrong("has a field numbered " + (tag >>> 3));
    switch (wire) {
      case VARINT -> number = varint();
      case EIGHT_BYTES -> fixed(8);
      case FOUR_BYTES -> fixed(4);
      case BYTES -> {
        length = varint();
        if (length < 0) throw wrong("has a field of absurd length");
        start = at;
        over = length > end - at;
        if (over && !cut && end != file.byteSize()) throw past();
        at = over ? end : at + length;
      }
      default -> throw wrong("has a field of unknown kind " + wire);
    }
    return true;
  }

  private void fixed(int bytes) {
    start = at;
    length = bytes;
    if (end - at < bytes) throw past();
    at += bytes;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at == end) throw past();
      byte next = file.get(ValueLayout.JAVA_BYTE, at++);
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) return value;
    }
    throw wrong("has a number of more than 64 bits");
  }

  int field() {
    return field;
  }

  /** The number of the field just met. */
  long number() {
    if (wire != VARINT) throw unexpected();
    return number;
  }

  float real() {
    if (wire != FOUR_BYTES) throw unexpected();
    return Float.intBitsToFloat(file.get(StoredTensor.INT, start));
  }

  boolean packed() {
    return wire == BYTES;
  }

  /** The text of the field just met. */
  String string() {
    MemorySegment bytes = bytes(what);
    if (bytes.byteSize() > LONGEST_STRING) {
      throw wrong("has a text of %,d bytes".formatted(bytes.byteSize()));
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toArray(ValueLayout.JAVA_BYTE));
      return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException _) {
      throw wrong("has a text that is not UTF-8");
    }
  }

  /** The bytes of the field just met, of which there must be all. */
  MemorySegment bytes(String owner) {
    if (wire != BYTES) throw unexpected();
    if (over) throw truncated(owner, length);
    return file.asSlice(start, length);
  }

  /** The message in the field just met; one that is cut off can be walked up to the cut. */
  Message message(String what) {
    if (wire != BYTES) throw unexpected();
    return new Message(path, file, what, start, over ? end : start + length, over);
  }

  /** Whole numbers of the field just met, one or packed. */
  void wholes(WholeSink sink) {
    if (wire == VARINT) {
      sink.accept(number);
      return;
    }
    bytes(what);
    Message inside = new Message(path, file, what, start, start + length, false);
    while (inside.at < inside.end) sink.accept(inside.varint());
  }

  /** Takes whole numbers without a box for each. */
  @FunctionalInterface
  interface WholeSink {
    void accept(long number);
  }

  ImportException wrong(String reason) {
    return new ImportException(path, what + " " + reason);
  }

  private ImportException unexpected() {
    return wrong("has field %d in another kind (%d)".formatted(field, wire));
  }

  private ImportException past() {
    return cut || end == file.byteSize() ? truncated(what, 0) : wrong("runs past its end");
  }

  private ImportException truncated(String owner, long wanted) {
    String bytes = wanted == 0 ? "" : " (%,d bytes, %,d are there)".formatted(wanted, end - start);
    return new ImportException(path, "the file is truncated: " + owner + " is cut off" + bytes);
  }
}
