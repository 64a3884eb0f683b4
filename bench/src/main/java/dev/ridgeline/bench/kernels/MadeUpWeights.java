package dev.ridgeline.bench.kernels;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.tensor.TensorType;
import java.util.SplittableRandom;

/** Weights as a file would have them: random levels, with scales that are numbers. */
public final class MadeUpWeights {
  /** Where the scale of Q6_K lies: behind its levels. */
  private static final int SCALE_OF_Q6_K = 208;

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
        ALL.set(
            JAVA_SHORT_UNALIGNED,
            at + (type == TensorType.Q6_K ? SCALE_OF_Q6_K : 0),
            scale(random));
        boolean two =
            switch (type) {
              case Q4_1, Q5_1, Q4_K, Q5_K -> true;
              default -> false;
            };
        if (two) ALL.set(JAVA_SHORT_UNALIGNED, at + 2, scale(random));
      }
    }
  }

  private static short scale(SplittableRandom random) {
    return Float.floatToFloat16((float) random.nextDouble(0.001, 0.1));
  }
}
