package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what stands before the numbers of a GGUF file, believing nothing: every count is held
 * against the bytes that are there before anything is made of it.
 */
final class Header {
  static final int MAGIC = 0x46554747; // GGUF
  static final String ALIGNMENT = "general.alignment";
  static final int DEFAULT_ALIGNMENT = 32;

  private static final int MOST_DIMENSIONS = 4;

  /** The largest models have some thousands of tensors; more than this is damage. */
  private static final int MOST_ENTRIES = 1 << 16;

  /** The largest vocabularies have some 260,000 tokens. */
  private static final int MOST_ELEMENTS = 1 << 24;

  private final Path path;
  private final MemorySegment file;
  private final Cursor cursor;

  private int version;
  private Metadata metadata;
  private Map<String, GgufTensor> tensors;

  /** Where a tensor lies, counted from the first one. */
  /** In the order of their bytes. */
  private record Place(String name, TensorType type, List<Long> shape, long offset, long bytes)
      implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return Long.compare(offset, other.offset);
    }
  }

  private Header(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
    this.cursor = new Cursor(path, file);
  }

  static Header read(Path path, MemorySegment file) {
    Header header = new Header(path, file);
    header.read();
    return header;
  }

  int version() {
    return version;
  }

  Metadata metadata() {
    return metadata;
  }

  Map<String, GgufTensor> tensors() {
    return tensors;
  }

  private void read() {
    if (file.byteSize() < 4 || cursor.integer("the magic number") != MAGIC) {
      throw wrong("is not a GGUF file");
    }
    version = version(cursor.integer("the version"));
    int tensorCount = entries(24, "the number of tensors");
    int entryCount = entries(13, "the number of metadata entries");
    metadata = metadata(entryCount);
    int alignment = alignment();
    List<Place> places = new ArrayList<>();
    for (int t = 0; t < tensorCount; t++) places.add(place(t, alignment));
    long start = (cursor.position() + alignment - 1) / alignment * alignment;
    tensors = placed(places, start);
  }

  private int version(int version) {
    if (version == 2 || version == 3) return version;
    int swapped = Integer.reverseBytes(version);
    if (swapped >= 1 && swapped <= 3) {
      throw wrong("is big-endian: convert it to little-endian first");
    }
    throw wrong(
        "has GGUF version %s; versions 2 and 3 are read"
            .formatted(Integer.toUnsignedString(version)));
  }

  private int entries(int bytesEach, String what) {
    long count = cursor.count(bytesEach, what);
    if (count > MOST_ENTRIES) {
      throw wrong("%s is %,d, more than %,d".formatted(what, count, MOST_ENTRIES));
    }
    return (int) count;
  }

  private Metadata metadata(int count) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (int e = 0; e < count; e++) {
      Entry entry = entry(cursor.name("the key of metadata entry " + e));
      if (entries.putIfAbsent(entry.key(), entry) != null) {
        throw wrong("has metadata %s twice".formatted(entry.key()));
      }
    }
    return new Metadata(path, entries);
  }

  private Entry entry(String key) {
    String what = "metadata " + key;
    long start = cursor.position();
    ValueType type = type(what);
    long count = -1;
    if (type == ValueType.ARRAY) {
      type = type(what);
      if (type == ValueType.ARRAY) throw wrong(what + " is an array of arrays");
      count = cursor.count(type.bytes(), "the length of " + what);
      if (count > MOST_ELEMENTS) throw wrong("%s has %,d elements".formatted(what, count));
    }
    long values = cursor.position();
    if (type == ValueType.STRING) {
      String length = "a length in " + what;
      for (long i = Math.abs(count); i > 0; i--) cursor.skip(cursor.count(1, length), what);
    } else {
      cursor.skip(Math.abs(count) * type.bytes(), what);
    }
    MemorySegment encoded = file.asSlice(start, cursor.position() - start);
    return new Entry(path, key, type, count, file, values, encoded);
  }

  private ValueType type(String what) {
    int code = cursor.integer("the type of " + what);
    ValueType type = ValueType.ofCode(code);
    if (type != null) return type;
    throw wrong("%s has the unknown type %s".formatted(what, Integer.toUnsignedString(code)));
  }

  private int alignment() {
    int alignment = metadata.integer(ALIGNMENT, DEFAULT_ALIGNMENT);
    if (Integer.bitCount(alignment) == 1 && alignment > 0) return alignment;
    throw wrong("metadata %s is %d, not a power of two".formatted(ALIGNMENT, alignment));
  }

  private Place place(int index, int alignment) {
    String name = cursor.name("the name of tensor " + index);
    String what = "tensor " + name;
    int dimensions = cursor.integer("the shape of " + what);
    if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
      throw wrong("%s has %s dimensions".formatted(what, Integer.toUnsignedString(dimensions)));
    }
    List<Long> shape = new ArrayList<>();
    for (int d = 0; d < dimensions; d++) shape.add(cursor.whole("the shape of " + what));
    int code = cursor.integer("the type of " + what);
    TensorType type = TensorType.ofCode(code);
    if (type == null) {
      throw wrong("%s has type %s, which is not read".formatted(what, ForeignTypes.describe(code)));
    }
    long offset = cursor.whole("the offset of " + what);
    if (offset < 0 || offset % alignment != 0) {
      throw wrong(
          "%s begins at %s, which is not a multiple of %d"
              .formatted(what, Long.toUnsignedString(offset), alignment));
    }
    return new Place(name, type, shape, offset, bytes(what, type, shape));
  }

  private long bytes(String what, TensorType type, List<Long> shape) {
    long count = 1;
    for (long length : shape) {
      if (length < 1 || Math.multiplyHigh(count, length) != 0 || count * length < 0) {
        throw wrong("%s has the impossible shape %s".formatted(what, shape));
      }
      count *= length;
    }
    long columns = shape.isEmpty() ? 1 : shape.getFirst();
    if (columns % type.blockSize() != 0) {
      throw wrong(
          "%s has rows of %d, which blocks of %d (%s) do not fill"
              .formatted(what, columns, type.blockSize(), type.word()));
    }
    try {
      return type.bytes(count);
    } catch (ArithmeticException e) {
      throw new GgufException(path, "%s has the impossible shape %s".formatted(what, shape), e);
    }
  }

  /** Tensors in the file's order, once it is sure that each has bytes of its own. */
  private Map<String, GgufTensor> placed(List<Place> places, long start) {
    refuseOverlaps(places);
    Map<String, GgufTensor> tensors = new LinkedHashMap<>();
    for (Place place : places) {
      long room = file.byteSize() - start;
      if (place.bytes > room || place.offset > room - place.bytes) {
        throw wrong(
            "tensor %s is cut off: it needs %,d bytes from byte %s, the file has %,d"
                .formatted(
                    place.name,
                    place.bytes,
                    Long.toUnsignedString(start + place.offset),
                    file.byteSize()));
      }
      MemorySegment data = file.asSlice(start + place.offset, place.bytes);
      GgufTensor tensor = new GgufTensor(place.name, place.type, place.shape, data);
      if (tensors.putIfAbsent(place.name, tensor) != null) {
        throw wrong("has tensor %s twice".formatted(place.name));
      }
    }
    return tensors;
  }

  private void refuseOverlaps(List<Place> places) {
    List<Place> sorted = new ArrayList<>(places);
    sorted.sort(null);
    for (int i = 1; i < sorted.size(); i++) {
      Place left = sorted.get(i - 1);
      Place right = sorted.get(i);
      if (right.offset - left.offset < left.bytes) {
        throw wrong("tensors %s and %s overlap".formatted(left.name, right.name));
      }
    }
  }

  private GgufException wrong(String reason) {
    return new GgufException(path, reason);
  }
}
