package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A mapped file seen through an array that follows the reader. A vocabulary is tens of thousands of
 * small reads at each start, before anything is compiled: of an array they are cheap, of mapped
 * memory each is a hundred calls.
 */
final class Window {
  private static final int SIZE = 1 << 15;

  private final MemorySegment file;
  private byte[] bytes = new byte[SIZE];

  /** The part of the file that the array has. */
  private long start;

  private long end;

  Window(MemorySegment file) {
    this.file = file;
  }

  /** Where in the array so many bytes of the file begin; they must be there. */
  private int index(long at, int count) {
    if (at < start || at + count > end) {
      if (count > bytes.length) bytes = new byte[count];
      start = at;
      end = Math.min(file.byteSize(), at + bytes.length);
      MemorySegment.copy(file, JAVA_BYTE, start, bytes, 0, (int) (end - start));
    }
    return (int) (at - start);
  }

  int integer(long at) {
    int index = index(at, 4);
    return bytes[index] & 0xff
        | (bytes[index + 1] & 0xff) << 8
        | (bytes[index + 2] & 0xff) << 16
        | bytes[index + 3] << 24;
  }

  long whole(long at) {
    return Integer.toUnsignedLong(integer(at)) | (long) integer(at + 4) << 32;
  }

  String text(long at, int length) {
    int index = index(at, length);
    return new String(bytes, index, length, StandardCharsets.UTF_8);
  }
}
