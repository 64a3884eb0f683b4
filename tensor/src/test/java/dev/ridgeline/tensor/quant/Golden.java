package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Digests of the blocks that llama.cpp makes of some numbers and of the numbers it reads out of
 * some blocks, so that they are guarded where it cannot be fetched. Made by {@code
 * ggml_quantize_chunk} and {@code to_float} of npm's @node-llama-cpp/linux-x64 3.22.1.
 */
final class Golden {
  static final long ROWS = 64;
  static final long COLUMNS = 1024;
  static final long SEED = 2026;

  private Golden() {}

  static String blocks(TensorType type) {
    return switch (type) {
      case F32 -> "5edd3205d4678802";
      case F16 -> "11c3da5141abb554";
      case BF16 -> "75ae6eff563db09c";
      case Q4_0 -> "aa10526c5d28a503";
      case Q4_1 -> "cd2949ad58adab34";
      case Q5_0 -> "caf27341797496aa";
      case Q5_1 -> "5d508e5649c40ef2";
      case Q8_0 -> "731b0d2b9b62da2b";
      case Q4_K -> "40c97adb92b5602d";
      case Q5_K -> "b95aa8f7d990de21";
      case Q6_K -> "1f0c84c83879dccd";
      default -> throw new IllegalArgumentException(type.word());
    };
  }

  /** The numbers in {@link Blocks} of the seed, for types that are only read. */
  static String numbers(TensorType type) {
    return switch (type) {
      case Q2_K -> "3a4e0f65e85dd7b8";
      case Q3_K -> "6f020be57242e69d";
      case IQ4_NL -> "8a67a7627145a70a";
      case IQ4_XS -> "2b80767f535f18a9";
      case MXFP4 -> "5b7d7275df52b52c";
      default -> throw new IllegalArgumentException(type.word());
    };
  }

  static String digest(MemorySegment bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toArray(JAVA_BYTE));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
