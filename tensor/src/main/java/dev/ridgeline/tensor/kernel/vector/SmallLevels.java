package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.B;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;
import static dev.ridgeline.tensor.kernel.vector.Lanes.S;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Decodes sub-blocks of 16 levels of two and three bits; as in {@link Decoding}, vectors stay in
 * one method each.
 */
final class SmallLevels {
  private static final int LINE = 4 * PANEL;

  private SmallLevels() {}

  /**
   * Q2_K: scales and minima of a super-block, two lines further on, times both halves of a byte.
   */
  static void affine(long sub, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      IntVector both =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, sub + o, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      FloatVector.fromMemorySegment(F, ALL, line + 2 * LINE + 4L * o, LE)
          .mul((FloatVector) both.and(15).convert(VectorOperators.I2F, 0))
          .intoMemorySegment(ALL, line + 4L * o, LE);
      both = both.lanewise(VectorOperators.LSHR, 4);
      FloatVector.fromMemorySegment(F, ALL, line + 3 * LINE + 4L * o, LE)
          .mul((FloatVector) both.convert(VectorOperators.I2F, 0))
          .neg()
          .intoMemorySegment(ALL, line + LINE + 4L * o, LE);
    }
  }

  /** Q3_K: scales of a super-block times those of a sub-block, which lie as in the file. */
  static void centered(long scales, int sub, long line) {
    long lower = scales + 32L * (sub & 7);
    long upper = scales + 256 + 32L * (sub & 3);
    int lowerShift = sub >> 3 << 2;
    int upperShift = sub >> 2 << 1;
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      IntVector low =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, lower + o, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      IntVector high =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, upper + o, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      low = low.lanewise(VectorOperators.LSHR, lowerShift).and(15);
      high = high.lanewise(VectorOperators.LSHR, upperShift).and(3);
      low = low.or(high.lanewise(VectorOperators.LSHL, 4)).sub(32);
      FloatVector scale =
          FloatVector.fromMemorySegment(F, ALL, line + 2 * LINE + 4L * o, LE)
              .mul((FloatVector) low.convert(VectorOperators.I2F, 0));
      scale.intoMemorySegment(ALL, line + 4L * o, LE);
      scale.mul(-4).intoMemorySegment(ALL, line + LINE + 4L * o, LE);
    }
  }

  static void two(long levels, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      FloatVector offset = FloatVector.fromMemorySegment(F, ALL, line + LINE + 4L * o, LE);
      for (int j = 0; j < 4; j++) {
        IntVector four =
            (IntVector)
                ByteVector.fromMemorySegment(B, ALL, levels + 32L * j + o, LE)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
        long to = out + (long) j * LINE + 4L * o;
        ((FloatVector) four.and(3).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to, LE);
        ((FloatVector)
                four.lanewise(VectorOperators.LSHR, 2).and(3).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 4 * LINE, LE);
        ((FloatVector)
                four.lanewise(VectorOperators.LSHR, 4).and(3).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 8 * LINE, LE);
        ((FloatVector) four.lanewise(VectorOperators.LSHR, 6).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 12 * LINE, LE);
      }
    }
  }

  /** Bit j of an output's word is bit 2 of its level j; shifted, bits j, j + 4 … are at hand. */
  static void three(long words, long line, long out) {
    long levels = words + 2 * PANEL;
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      FloatVector offset = FloatVector.fromMemorySegment(F, ALL, line + LINE + 4L * o, LE);
      IntVector high =
          (IntVector)
              ShortVector.fromMemorySegment(S, ALL, words + 2L * o, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_S2I, I, 0);
      high = high.lanewise(VectorOperators.LSHL, 2);
      for (int j = 0; j < 4; j++) {
        IntVector four =
            (IntVector)
                ByteVector.fromMemorySegment(B, ALL, levels + 32L * j + o, LE)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
        long to = out + (long) j * LINE + 4L * o;
        ((FloatVector) four.and(3).or(high.and(4)).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to, LE);
        IntVector top = high.lanewise(VectorOperators.LSHR, 4).and(4);
        IntVector level = four.lanewise(VectorOperators.LSHR, 2).and(3).or(top);
        ((FloatVector) level.convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 4 * LINE, LE);
        top = high.lanewise(VectorOperators.LSHR, 8).and(4);
        level = four.lanewise(VectorOperators.LSHR, 4).and(3).or(top);
        ((FloatVector) level.convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 8 * LINE, LE);
        top = high.lanewise(VectorOperators.LSHR, 12).and(4);
        level = four.lanewise(VectorOperators.LSHR, 6).or(top);
        ((FloatVector) level.convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 12 * LINE, LE);
        high = high.lanewise(VectorOperators.LSHR, 1);
      }
    }
  }
}
