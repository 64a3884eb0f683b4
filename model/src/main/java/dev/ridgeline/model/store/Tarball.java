package dev.ridgeline.model.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A {@code .tgz} file, of which one member is wanted: blocks of 512 bytes, a header before each.
 */
record Tarball(Path path) {
  private static final int BLOCK = 512;
  private static final int BUFFER = 1 << 17;

  /**
   * Copies a member out of it.
   *
   * @param name in full; names of more than 100 characters are not looked for
   * @return its SHA-256, or null where there is no such member
   */
  String extract(String name, Path target, Progress progress) throws IOException {
    try (InputStream in =
        new BufferedInputStream(new GZIPInputStream(Files.newInputStream(path), BUFFER), BUFFER)) {
      byte[] header = new byte[BLOCK];
      while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
        long size = size(header);
        boolean file = header[156] == '0' || header[156] == 0;
        if (file && name.equals(name(header))) {
          try (var out = new BufferedOutputStream(Files.newOutputStream(target))) {
            return Sha256.copy(new Member(in, size), out, size, progress);
          }
        }
        in.skipNBytes(Math.ceilDiv(size, BLOCK) * BLOCK);
      }
      return null;
    }
  }

  private static String name(byte[] header) {
    int length = 0;
    while (length < 100 && header[length] != 0) length++;
    return new String(header, 0, length, StandardCharsets.UTF_8);
  }

  /** Octal digits, ended by a space or a zero. */
  private static long size(byte[] header) throws IOException {
    long size = 0;
    for (int i = 124; i < 136 && header[i] != 0 && header[i] != ' '; i++) {
      if (header[i] < '0' || header[i] > '7') throw new ZipException("it is no tar archive");
      size = size * 8 + header[i] - '0';
    }
    return size;
  }

  /** The bytes of one member, all of which must be there. */
  private static final class Member extends InputStream {
    private final InputStream in;
    private long left;

    Member(InputStream in, long size) {
      this.in = in;
      this.left = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      if (left == 0) return -1;
      int read = in.read(bytes, from, (int) Math.min(length, left));
      if (read < 0) throw new EOFException("it ends in the middle of a file");
      left -= read;
      return read;
    }
  }
}
