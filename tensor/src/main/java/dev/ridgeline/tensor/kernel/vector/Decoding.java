package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.B;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;
import static dev.ridgeline.tensor.kernel.vector.Lanes.S;

import dev.ridgeline.tensor.TensorType;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Turns part of a packed panel into f32. Levels are widened to 32-bit lanes before anything is
 * shifted: C2 has no good code for shifts of bytes.
 */
final class Decoding {
  private static final int LINE = 4 * PANEL;

  private Decoding() {}

  /**
   * @param panel a packed panel
   * @param from first input, a multiple of the type's block
   * @param depth how many inputs, whole blocks
   * @param line where twelve lines of f32 may be put: scales and offsets, those of super-blocks,
   *     and the levels of a block that were looked up
   */
  static void panel(TensorType type, long panel, int from, int depth, long line, long out) {
    int size = type.blockSize();
    long step = Packing.blockBytes(type);
    long block = panel + from / size * step;
    switch (type) {
      case F16 -> halves(block, depth * PANEL, out);
      case BF16 -> Bf16Halves.widen(out, block, (long) depth * PANEL);
      default -> {
        for (int i = 0; i < depth; i += size) {
          block(type, block, line, out + (long) i * LINE);
          block += step;
        }
      }
    }
  }

  private static void block(TensorType type, long block, long line, long out) {
    switch (type) {
      case Q8_0 -> {
        halves(block, PANEL, line);
        eight(block + 64, line, out);
      }
      case Q4_0 -> {
        centered(block, -8, line);
        four(block + 64, line, out);
      }
      case Q4_1 -> {
        halves(block, 2 * PANEL, line);
        four(block + 128, line, out);
      }
      case Q5_0 -> {
        centered(block, -16, line);
        five(block + 64, line, out);
      }
      case Q5_1 -> {
        halves(block, 2 * PANEL, line);
        five(block + 128, line, out);
      }
      case Q4_K, Q5_K -> {
        boolean five = type == TensorType.Q5_K;
        halves(block, 2 * PANEL, line + 2 * LINE);
        for (int sub = 0; sub < 8; sub++) {
          long at = block + 128 + sub * (five ? 704L : 576L);
          subAffine(at, line);
          if (five) five(at + 64, line, out + 32L * sub * LINE);
          else four(at + 64, line, out + 32L * sub * LINE);
        }
      }
      case Q6_K -> {
        halves(block, PANEL, line + 2 * LINE);
        for (int sub = 0; sub < 16; sub++) {
          long at = block + 64 + sub * 416L;
          subCentered(at, line);
          six(at + 32, line, out + 16L * sub * LINE);
        }
      }
      case Q2_K -> {
        halves(block, 2 * PANEL, line + 2 * LINE);
        for (int sub = 0; sub < 16; sub++) {
          long at = block + 128 + sub * 160L;
          SmallLevels.affine(at, line);
          SmallLevels.two(at + 32, line, out + 16L * sub * LINE);
        }
      }
      case Q3_K -> {
        halves(block, PANEL, line + 2 * LINE);
        for (int sub = 0; sub < 16; sub++) {
          long at = block + 448 + sub * 192L;
          SmallLevels.centered(block + 64, sub, line);
          SmallLevels.three(at, line, out + 16L * sub * LINE);
        }
      }
      case IQ4_NL -> {
        halves(block, PANEL, line);
        TableDecoding.levels(TableDecoding.NON_LINEAR, block + 64, line + 4 * LINE);
        eight(line + 4 * LINE, line, out);
      }
      case IQ4_XS -> {
        halves(block, PANEL, line + 2 * LINE);
        for (int sub = 0; sub < 8; sub++) {
          long at = block + 64 + sub * 544L;
          subCentered(at, line);
          TableDecoding.levels(TableDecoding.NON_LINEAR, at + 32, line + 4 * LINE);
          eight(line + 4 * LINE, line, out + 32L * sub * LINE);
        }
      }
      case MXFP4 -> {
        TableDecoding.powers(block, line);
        TableDecoding.levels(TableDecoding.FLOAT, block + 32, line + 4 * LINE);
        eight(line + 4 * LINE, line, out);
      }
      default -> throw new IllegalArgumentException(type.word() + " is not a type of weights");
    }
  }

  // Below, vectors live in one method each and only meet methods of the Vector API: any other call
  // may not be inlined, and then they are boxed. Scales and offsets go through memory.

  private static void centered(long scales, int center, long line) {
    halves(scales, PANEL, line);
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      scale.mul(center).intoMemorySegment(ALL, line + LINE + 4L * o, LE);
    }
  }

  /** Scales and minima of a super-block, two lines further on, times those of a sub-block. */
  private static void subAffine(long sub, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 2 * LINE + 4L * o, LE);
      scale =
          scale.mul(
              (FloatVector)
                  ByteVector.fromMemorySegment(B, ALL, sub + o, LE)
                      .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0)
                      .convert(VectorOperators.I2F, 0));
      scale.intoMemorySegment(ALL, line + 4L * o, LE);
      FloatVector least = FloatVector.fromMemorySegment(F, ALL, line + 3 * LINE + 4L * o, LE);
      least =
          least
              .mul(
                  (FloatVector)
                      ByteVector.fromMemorySegment(B, ALL, sub + 32 + o, LE)
                          .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0)
                          .convert(VectorOperators.I2F, 0))
              .neg();
      least.intoMemorySegment(ALL, line + LINE + 4L * o, LE);
    }
  }

  private static void subCentered(long sub, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 2 * LINE + 4L * o, LE);
      scale =
          scale.mul(
              (FloatVector)
                  ByteVector.fromMemorySegment(B, ALL, sub + o, LE)
                      .convertShape(VectorOperators.B2I, I, 0)
                      .convert(VectorOperators.I2F, 0));
      scale.intoMemorySegment(ALL, line + 4L * o, LE);
      FloatVector offset = scale.mul(-32);
      offset.intoMemorySegment(ALL, line + LINE + 4L * o, LE);
    }
  }

  private static void eight(long levels, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      for (int k = 0; k < 32; k++) {
        FloatVector level =
            (FloatVector)
                ByteVector.fromMemorySegment(B, ALL, levels + 32L * k + o, LE)
                    .convertShape(VectorOperators.B2I, I, 0)
                    .convert(VectorOperators.I2F, 0);
        level.mul(scale).intoMemorySegment(ALL, out + (long) k * LINE + 4L * o, LE);
      }
    }
  }

  private static void four(long levels, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      FloatVector offset = FloatVector.fromMemorySegment(F, ALL, line + LINE + 4L * o, LE);
      for (int j = 0; j < 16; j++) {
        IntVector pair =
            (IntVector)
                ByteVector.fromMemorySegment(B, ALL, levels + 32L * j + o, LE)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
        long to = out + (long) j * LINE + 4L * o;
        ((FloatVector) pair.and(15).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to, LE);
        pair = pair.lanewise(VectorOperators.LSHR, 4);
        ((FloatVector) pair.convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 16 * LINE, LE);
      }
    }
  }

  /** Bits j and j + 16 of an output's word are bit 4 of its levels j and j + 16. */
  private static void five(long words, long line, long out) {
    long levels = words + LINE;
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line + 4L * o, LE);
      FloatVector offset = FloatVector.fromMemorySegment(F, ALL, line + LINE + 4L * o, LE);
      IntVector high = IntVector.fromMemorySegment(I, ALL, words + 4L * o, LE);
      for (int j = 0; j < 16; j++) {
        IntVector pair =
            (IntVector)
                ByteVector.fromMemorySegment(B, ALL, levels + 32L * j + o, LE)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
        long to = out + (long) j * LINE + 4L * o;
        IntVector low = high.and(1).lanewise(VectorOperators.LSHL, 4);
        ((FloatVector) pair.and(15).or(low).convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to, LE);
        IntVector top = high.lanewise(VectorOperators.LSHR, 12).and(16);
        pair = pair.lanewise(VectorOperators.LSHR, 4).or(top);
        ((FloatVector) pair.convert(VectorOperators.I2F, 0))
            .fma(scale, offset)
            .intoMemorySegment(ALL, to + 16 * LINE, LE);
        high = high.lanewise(VectorOperators.LSHR, 1);
      }
    }
  }

  /**
   * High bits are gathered to words that have, at 2j and 2j + 16, those of an even or odd level.
   */
  private static void six(long bits, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      sixOf(bits + o, bits + 64 + o, bits + LINE + o, line + 4L * o, out + 4L * o);
      sixOf(bits + 32 + o, bits + 96 + o, bits + LINE + 32 + o, line + 4L * o, out + LINE + 4L * o);
    }
  }

  /** Every second of the levels of a vector of outputs. */
  private static void sixOf(long lower, long upper, long levels, long line, long out) {
    FloatVector scale = FloatVector.fromMemorySegment(F, ALL, line, LE);
    FloatVector offset = FloatVector.fromMemorySegment(F, ALL, line + LINE, LE);
    IntVector high =
        (IntVector)
            ByteVector.fromMemorySegment(B, ALL, upper, LE)
                .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
    high = high.lanewise(VectorOperators.LSHL, 16);
    high =
        high.or(
            ByteVector.fromMemorySegment(B, ALL, lower, LE)
                .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0));
    for (int j = 0; j < 4; j++) {
      IntVector pair =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, levels + 64L * j, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      long to = out + 2L * j * LINE;
      IntVector low = high.and(3).lanewise(VectorOperators.LSHL, 4);
      ((FloatVector) pair.and(15).or(low).convert(VectorOperators.I2F, 0))
          .fma(scale, offset)
          .intoMemorySegment(ALL, to, LE);
      IntVector top = high.lanewise(VectorOperators.LSHR, 12).and(48);
      pair = pair.lanewise(VectorOperators.LSHR, 4).or(top);
      ((FloatVector) pair.convert(VectorOperators.I2F, 0))
          .fma(scale, offset)
          .intoMemorySegment(ALL, to + 8 * LINE, LE);
      high = high.lanewise(VectorOperators.LSHR, 2);
    }
  }

  /**
   * f16 to f32: exponent and mantissa moved into place are the number times 2⁻¹¹², subnormal ones
   * too; what was infinite or not a number comes out at 65536 or more.
   */
  static void halves(long from, int count, long out) {
    for (int i = 0; i < count; i += Lanes.COUNT) {
      IntVector bits =
          (IntVector)
              ShortVector.fromMemorySegment(S, ALL, from + 2L * i, LE)
                  .convertShape(VectorOperators.S2I, I, 0);
      FloatVector value =
          bits.lanewise(VectorOperators.LSHL, 13)
              .and(0x8fffe000)
              .reinterpretAsFloats()
              .mul(0x1p112f);
      VectorMask<Float> infinite = value.abs().compare(VectorOperators.GE, 65536f);
      bits = value.reinterpretAsInts();
      bits = bits.lanewise(VectorOperators.OR, 0x7f800000, infinite.cast(I));
      value = bits.reinterpretAsFloats();
      value.intoMemorySegment(ALL, out + 4L * i, LE);
    }
  }

  /**
   * A panel's part of rows of f16, whole lines of it.
   *
   * @param stride bytes from a row to the next
   */
  static void halves(long from, long stride, int rows, long out) {
    for (int row = 0; row < rows; row++) {
      halves(from + row * stride, PANEL, out + (long) row * LINE);
    }
  }
}
