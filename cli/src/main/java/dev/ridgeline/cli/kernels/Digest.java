package dev.ridgeline.cli.kernels;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A fingerprint of what kernels computed: equal when every bit of every output is. */
final class Digest {
  private Digest() {}

  static String of(List<Kernel> kernels) {
    MessageDigest sha = sha256();
    for (Kernel kernel : kernels) {
      sha.update(kernel.name().getBytes(StandardCharsets.UTF_8));
      for (float[] row : kernel.output()) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * row.length);
        bytes.asFloatBuffer().put(row);
        sha.update(bytes);
      }
    }
    return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
