package dev.ridgeline.tensor.quant;

import dev.ridgeline.tensor.TensorType;
import java.util.random.RandomGenerator;

/**
 * Weights of any type as a file would have them, where it only matters that they are numbers:
 * random digits, and scales that leave all numbers within about −2 to 2.
 */
public final class RandomBlocks {
  /** The power of two with which the largest float of MXFP4, 12 in its table, is below one. */
  private static final int MOST_EXPONENT = 124;

  private RandomBlocks() {}

  /**
   * Fills memory with whole blocks.
   *
   * @param bytes a multiple of the type's block
   */
  public static void fill(TensorType type, long at, long bytes, RandomGenerator random) {
    for (long block = at; block < at + bytes; block += type.blockBytes()) {
      block(type, block, random);
    }
  }

  private static void block(TensorType type, long at, RandomGenerator random) {
    float number = (float) random.nextDouble(-1, 1);
    switch (type) {
      case F32 -> Raw.f32(at, number);
      case F16 -> Raw.f16(at, number);
      case BF16 -> Raw.bf16(at, number);
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
      default -> {
        for (int i = 0; i < type.blockBytes(); i++) Raw.i8(at + i, random.nextInt());
        scales(type, at, random);
      }
    }
  }

  private static void scales(TensorType type, long at, RandomGenerator random) {
    switch (type) {
      case Q8_0 -> scale(at, 128, random);
      case Q4_0 -> scale(at, 8, random);
      case Q5_0 -> scale(at, 16, random);
      case Q4_1 -> scales(at, 15, 1, random);
      case Q5_1 -> scales(at, 31, 1, random);
      case Q4_K -> scales(at, 63 * 15, 63, random);
      case Q5_K -> scales(at, 63 * 31, 63, random);
      case Q6_K -> scale(at + 208, 128 * 32, random);
      case Q2_K -> scales(at + 80, 15 * 3, 15, random);
      case Q3_K -> scale(at + 108, 32 * 4, random);
      case IQ4_NL -> scale(at, 127, random);
      case IQ4_XS -> scale(at, 32 * 127, random);
      case MXFP4 -> Raw.i8(at, MOST_EXPONENT - random.nextInt(4));
      default -> throw new IllegalArgumentException(type.word() + " has no scales");
    }
  }

  private static void scales(long at, int most, int mostMinimum, RandomGenerator random) {
    scale(at, most, random);
    scale(at + 2, mostMinimum, random);
  }

  /** A scale with which the largest digit becomes a tenth to one. */
  private static void scale(long at, int most, RandomGenerator random) {
    Raw.f16(at, (float) random.nextDouble(0.1, 1) / most);
  }
}
