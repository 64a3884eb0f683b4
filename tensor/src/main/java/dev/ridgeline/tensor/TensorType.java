package dev.ridgeline.tensor;

import java.util.Locale;

/**
 * How the numbers of a tensor are stored. Quantized types store blocks of numbers that share their
 * scales; codes and layouts are those of GGUF.
 */
public enum TensorType {
  F32(0, 1, 4),
  F16(1, 1, 2),
  Q4_0(2, 32, 18),
  Q4_1(3, 32, 20),
  Q5_0(6, 32, 22),
  Q5_1(7, 32, 24),
  Q8_0(8, 32, 34),
  Q2_K(10, 256, 84, false),
  Q3_K(11, 256, 110, false),
  Q4_K(12, 256, 144),
  Q5_K(13, 256, 176),
  Q6_K(14, 256, 210),
  IQ4_NL(20, 32, 18, false),
  IQ4_XS(23, 256, 136, false),
  I32(26, 1, 4),
  BF16(30, 1, 2),
  MXFP4(39, 32, 17, false);

  private final int code;
  private final int blockSize;
  private final int blockBytes;
  private final boolean writable;

  TensorType(int code, int blockSize, int blockBytes) {
    this(code, blockSize, blockBytes, true);
  }

  TensorType(int code, int blockSize, int blockBytes, boolean writable) {
    this.code = code;
    this.blockSize = blockSize;
    this.blockBytes = blockBytes;
    this.writable = writable;
  }

  /** Its number in a GGUF file. */
  public int code() {
    return code;
  }

  /** How many numbers share a block. */
  public int blockSize() {
    return blockSize;
  }

  public int blockBytes() {
    return blockBytes;
  }

  /** Whether numbers share blocks. */
  public boolean quantized() {
    return blockSize > 1;
  }

  /** Whether numbers can be quantized to it; the others are only read from files. */
  public boolean writable() {
    return writable;
  }

  /** What so many numbers take; they must fill their last block. */
  public long bytes(long count) {
    if (count % blockSize != 0) {
      throw new IllegalArgumentException(
          "%d numbers do not fill blocks of %d (%s)".formatted(count, blockSize, word()));
    }
    return Math.multiplyExact(count / blockSize, (long) blockBytes);
  }

  /** As users write it: {@code q8_0}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of this number in a GGUF file, or null. */
  public static TensorType ofCode(int code) {
    for (TensorType type : values()) if (type.code == code) return type;
    return null;
  }
}
