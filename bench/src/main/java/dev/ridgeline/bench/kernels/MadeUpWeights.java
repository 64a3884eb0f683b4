package dev.ridgeline.bench.kernels;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.tensor.TensorType;
import java.util.SplittableRandom;

/** Weights as a file would have them: random levels, with scales that are numbers. */
public final class MadeUpWeights {
  private MadeUpWeights() {}

  /** Fills whole blocks. */
  public static void fill(TensorType type, long at, long bytes, SplittableRandom random) {
    for (long block = at; block < at + bytes; block += type.blockBytes())
      block(type, block, random);
  }

  private static void block(TensorType type, long at, SplittableRandom random) {
    float number = (float) random.nextDouble(-1, 1);
    switch (type) {
      case F32 -> ALL.set(JAVA_FLOAT_UNALIGNED, at, number);
      case F16 -> ALL.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(number));
      case BF16 -> ALL.set(JAVA_SHORT_UNALIGNED, at, (short) (Float.floatToIntBits(number) >> 16));
      default -> {
        for (int i = 0; i < type.blockBytes(); i++) {
          ALL.set(JAVA_BYTE, at + i, (byte) random.nextInt());
        }
        for (int offset : scales(type)) {
          ALL.set(JAVA_SHORT_UNALIGNED, at + offset, scale(random));
        }
        if (type.name().equals("MXFP4")) ALL.set(JAVA_BYTE, at, (byte) random.nextInt(118, 127));
      }
    }
  }

  /** Where a block has its f16: its scale, and what is subtracted. */
  private static int[] scales(TensorType type) {
    return switch (type.name()) {
      case "Q4_1", "Q5_1", "Q4_K", "Q5_K" -> new int[] {0, 2};
      case "Q2_K" -> new int[] {80, 82};
      case "Q3_K" -> new int[] {108};
      case "Q6_K" -> new int[] {208};
      case "MXFP4" -> new int[0]; // a power of two, in a byte
      default -> new int[] {0};
    };
  }

  private static short scale(SplittableRandom random) {
    return Float.floatToFloat16((float) random.nextDouble(0.001, 0.1));
  }
}
