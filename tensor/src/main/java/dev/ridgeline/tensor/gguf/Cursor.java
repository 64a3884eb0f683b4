package dev.ridgeline.tensor.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A place in a mapped file that only moves forward and never past the end. */
final class Cursor {
  /** A name that is longer is damage; the format allows 65,535 bytes for keys. */
  private static final int LONGEST_NAME = 65_535;

  private final Path path;
  private final MemorySegment file;
  private final Window window;
  private long position;

  Cursor(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
    this.window = new Window(file);
  }

  long position() {
    return position;
  }

  long left() {
    return file.byteSize() - position;
  }

  int integer(String what) {
    need(4, what);
    position += 4;
    return window.integer(position - 4);
  }

  long whole(String what) {
    need(8, what);
    position += 8;
    return window.whole(position - 8);
  }

  void skip(long bytes, String what) {
    need(bytes, what);
    position += bytes;
  }

  /** A length or count of things that take so many bytes each, which the file must still hold. */
  long count(long bytesEach, String what) {
    long count = whole(what);
    if (count < 0 || count > left() / bytesEach) {
      throw new GgufException(
          path,
          "%s is %s, more than the file's %,d bytes can hold"
              .formatted(what, Long.toUnsignedString(count), file.byteSize()));
    }
    return count;
  }

  /** A name. */
  String name(String what) {
    long length = count(1, "the length of " + what);
    if (length == 0) throw new GgufException(path, what + " is empty");
    if (length > LONGEST_NAME) {
      throw new GgufException(path, "%s has %,d bytes".formatted(what, length));
    }
    position += length;
    return window.text(position - length, (int) length);
  }

  private void need(long bytes, String what) {
    if (bytes > left()) {
      throw new GgufException(
          path, "the file ends at byte %,d, inside %s".formatted(file.byteSize(), what));
    }
  }
}
