package dev.ridgeline.cli.workload;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A fingerprint of what was computed: equal when every bit is. */
public final class Fingerprint {
  private final MessageDigest sha;

  public Fingerprint() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  public Fingerprint add(String text) {
    sha.update(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  public Fingerprint add(float... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
    bytes.asFloatBuffer().put(numbers);
    sha.update(bytes);
    return this;
  }

  public Fingerprint add(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
    bytes.asIntBuffer().put(numbers);
    sha.update(bytes);
    return this;
  }

  /** Of all that was added: {@code sha256:} and half of it. */
  public String digest() {
    return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
  }
}
