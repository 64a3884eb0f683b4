package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;

import dev.ridgeline.tensor.TensorType;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
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
   * @param line where two lines of f32 may be put: scales and offsets
   */
  static void panel(TensorType type, long panel, int from, int depth, long line, long out) {
    int size = type.blockSize();
    long step = Packing.blockBytes(type);
    long block = panel + from / size * step;
    switch (type) {
      case F16 -> halves(block, depth * PANEL, out);
      case BF16 -> tops(block, depth * PANEL, out);
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
        centered(block, 0, line);
        eight(block + 64, line, out);
      }
      case Q4_0 -> {
        centered(block, -8, line);
        four(block + 64, line, out);
      }
      case Q4_1 -> {
        affine(block, line);
        four(block + 128, line, out);
      }
      case Q5_0 -> {
        centered(block, -16, line);
        five(block + 64, line, out);
      }
      case Q5_1 -> {
        affine(block, line);
        five(block + 128, line, out);
      }
      case Q4_K -> {
        for (int sub = 0; sub < 8; sub++) {
          long at = block + 128 + sub * 576L;
          subAffine(block, at, line);
          four(at + 64, line, out + 32L * sub * LINE);
        }
      }
      case Q5_K -> {
        for (int sub = 0; sub < 8; sub++) {
          long at = block + 128 + sub * 704L;
          subAffine(block, at, line);
          five(at + 64, line, out + 32L * sub * LINE);
        }
      }
      case Q6_K -> {
        for (int sub = 0; sub < 16; sub++) {
          long at = block + 64 + sub * 416L;
          subCentered(block, at, line);
          six(at + 32, line, out + 16L * sub * LINE);
        }
      }
      default -> throw new IllegalArgumentException(type.word() + " is not a type of weights");
    }
  }

  // Scales and offsets go through memory: as vectors they would cross a call.

  private static void centered(long scales, int center, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = half(scales + 2L * o);
      Lanes.store(scale, line + 4L * o);
      Lanes.store(scale.mul(center), line + LINE + 4L * o);
    }
  }

  private static void affine(long scales, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      Lanes.store(half(scales + 2L * o), line + 4L * o);
      Lanes.store(half(scales + 64 + 2L * o), line + LINE + 4L * o);
    }
  }

  private static void subAffine(long scales, long sub, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      Lanes.store(half(scales + 2L * o).mul(number(unsigned(sub + o))), line + 4L * o);
      FloatVector least = half(scales + 64 + 2L * o).mul(number(unsigned(sub + 32 + o)));
      Lanes.store(least.neg(), line + LINE + 4L * o);
    }
  }

  private static void subCentered(long scales, long sub, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = half(scales + 2L * o).mul(number(signed(sub + o)));
      Lanes.store(scale, line + 4L * o);
      Lanes.store(scale.mul(-32), line + LINE + 4L * o);
    }
  }

  private static void eight(long levels, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = Lanes.load(line + 4L * o);
      for (int k = 0; k < 32; k++) {
        FloatVector level = number(signed(levels + 32L * k + o));
        Lanes.store(level.mul(scale), out + (long) k * LINE + 4L * o);
      }
    }
  }

  private static void four(long levels, long line, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = Lanes.load(line + 4L * o);
      FloatVector offset = Lanes.load(line + LINE + 4L * o);
      for (int j = 0; j < 16; j++) {
        IntVector pair = unsigned(levels + 32L * j + o);
        long to = out + (long) j * LINE + 4L * o;
        Lanes.store(number(pair.and(15)).fma(scale, offset), to);
        pair = pair.lanewise(VectorOperators.LSHR, 4);
        Lanes.store(number(pair).fma(scale, offset), to + 16 * LINE);
      }
    }
  }

  /** Bits j and j + 16 of an output's word are bit 4 of its levels j and j + 16. */
  private static void five(long words, long line, long out) {
    long levels = words + LINE;
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = Lanes.load(line + 4L * o);
      FloatVector offset = Lanes.load(line + LINE + 4L * o);
      IntVector high = Lanes.loadInts(words + 4L * o);
      for (int j = 0; j < 16; j++) {
        IntVector pair = unsigned(levels + 32L * j + o);
        long to = out + (long) j * LINE + 4L * o;
        IntVector low = high.and(1).lanewise(VectorOperators.LSHL, 4);
        Lanes.store(number(pair.and(15).or(low)).fma(scale, offset), to);
        IntVector top = high.lanewise(VectorOperators.LSHR, 12).and(16);
        pair = pair.lanewise(VectorOperators.LSHR, 4).or(top);
        Lanes.store(number(pair).fma(scale, offset), to + 16 * LINE);
        high = high.lanewise(VectorOperators.LSHR, 1);
      }
    }
  }

  /** Two bits at 2j and 2j + 16 of an output's word are bits 4 and 5 of its levels j and j + 8. */
  private static void six(long words, long line, long out) {
    long levels = words + LINE;
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      FloatVector scale = Lanes.load(line + 4L * o);
      FloatVector offset = Lanes.load(line + LINE + 4L * o);
      IntVector high = Lanes.loadInts(words + 4L * o);
      for (int j = 0; j < 8; j++) {
        IntVector pair = unsigned(levels + 32L * j + o);
        long to = out + (long) j * LINE + 4L * o;
        IntVector low = high.and(3).lanewise(VectorOperators.LSHL, 4);
        Lanes.store(number(pair.and(15).or(low)).fma(scale, offset), to);
        IntVector top = high.lanewise(VectorOperators.LSHR, 12).and(48);
        pair = pair.lanewise(VectorOperators.LSHR, 4).or(top);
        Lanes.store(number(pair).fma(scale, offset), to + 8 * LINE);
        high = high.lanewise(VectorOperators.LSHR, 2);
      }
    }
  }

  /** f16 to f32. */
  static void halves(long from, int count, long out) {
    for (int i = 0; i < count; i += Lanes.COUNT) Lanes.store(half(from + 2L * i), out + 4L * i);
  }

  /** bf16 to f32. */
  static void tops(long from, int count, long out) {
    for (int i = 0; i < count; i += Lanes.COUNT) {
      IntVector bits =
          (IntVector) Lanes.loadShorts(from + 2L * i).convertShape(VectorOperators.S2I, I, 0);
      Lanes.store(bits.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats(), out + 4L * i);
    }
  }

  /**
   * Vectors of f16 as f32: exponent and mantissa moved into place are the number times 2⁻¹¹²,
   * subnormal ones too; what was infinite or not a number comes out at 65536 or more.
   */
  private static FloatVector half(long address) {
    IntVector bits = (IntVector) Lanes.loadShorts(address).convertShape(VectorOperators.S2I, I, 0);
    FloatVector value =
        bits.lanewise(VectorOperators.LSHL, 13).and(0x8fffe000).reinterpretAsFloats().mul(0x1p112f);
    VectorMask<Float> infinite = value.abs().compare(VectorOperators.GE, 65536f);
    return value
        .reinterpretAsInts()
        .lanewise(VectorOperators.OR, 0x7f800000, infinite.cast(I))
        .reinterpretAsFloats();
  }

  private static FloatVector number(IntVector level) {
    return (FloatVector) level.convert(VectorOperators.I2F, 0);
  }

  private static IntVector signed(long address) {
    return (IntVector) Lanes.loadBytes(address).convertShape(VectorOperators.B2I, I, 0);
  }

  private static IntVector unsigned(long address) {
    return (IntVector) Lanes.loadBytes(address).convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
  }
}
