package dev.ridgeline.train.checkpoint;

/**
 * Where the parts of a checkpoint lie. All numbers are little-endian.
 *
 * <pre>
 * magic       8 bytes: RIDGECKP
 * version     i32: 1
 * length      i32: of the header
 * header      JSON
 * checksum    i32: CRC-32C of all before it
 * sections    each at a multiple of 64: losses as f64, tensors as f32, row after row
 * checksums   i32 each: CRC-32C of each section
 * checksum    i32: CRC-32C of those
 * magic       8 bytes: CKPTDONE
 * </pre>
 */
record Layout(long[] starts, long[] bytes, long trailer, long size) {
  /** As bytes of the file in their order. */
  static final long MAGIC = 0x504b434547444952L;

  static final long END = 0x454e4f4454504b43L;
  static final int VERSION = 1;

  /** Magic, version and length. */
  static final int FIXED = 16;

  static final int MOST_HEADER = 1 << 24;
  private static final int ALIGNMENT = 64;

  /** For a header of some length; null where lengths are beyond any file. */
  static Layout of(long header, long[] bytes) {
    long[] starts = new long[bytes.length];
    long at = aligned(FIXED + header + Integer.BYTES);
    for (int i = 0; i < bytes.length; i++) {
      starts[i] = at;
      at = aligned(at + bytes[i]);
      if (at < 0) return null;
    }
    return new Layout(starts, bytes, at, at + trailerBytes(bytes.length));
  }

  static int trailerBytes(int sections) {
    return Integer.BYTES * (sections + 1) + Long.BYTES;
  }

  private static long aligned(long at) {
    return (at + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
