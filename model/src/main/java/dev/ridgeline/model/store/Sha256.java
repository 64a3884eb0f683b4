package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of what passes by, in lower-case hexadecimal digits. */
final class Sha256 {
  private static final int BUFFER = 1 << 17;

  private Sha256() {}

  static String of(Path file, Progress progress) throws IOException {
    long size = Files.size(file);
    try (InputStream in = Files.newInputStream(file)) {
      return copy(in, OutputStream.nullOutputStream(), size, progress);
    }
  }

  /** Copies everything and answers the digest of it. */
  static String copy(InputStream in, OutputStream out, long size, Progress progress)
      throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER];
    long done = 0;
    for (int read; (read = in.read(buffer)) >= 0; ) {
      digest.update(buffer, 0, read);
      out.write(buffer, 0, read);
      progress.bytes(done += read, size);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
