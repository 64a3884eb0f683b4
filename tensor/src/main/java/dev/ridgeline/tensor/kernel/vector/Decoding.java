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
   */
  static void panel(TensorType type, long panel, int from, int depth, long out) {
    int block = type.blockSize();
    long at = panel + (long) (from / block) * Packing.blockBytes(type);
    switch (type) {
      case F16 -> halves(at, depth * PANEL, out);
      case BF16 -> tops(at, depth * PANEL, out);
      case Q4_K, Q5_K -> {
        for (int i = 0; i < depth; i += block) {
          affineSuper(at, type == TensorType.Q5_K, out + (long) i * LINE);
          at += Packing.blockBytes(type);
        }
      }
      case Q6_K -> {
        for (int i = 0; i < depth; i += block) {
          sixSuper(at, out + (long) i * LINE);
          at += Packing.blockBytes(type);
        }
      }
      default -> {
        for (int i = 0; i < depth; i += block) {
          simple(type, at, out + (long) i * LINE);
          at += Packing.blockBytes(type);
        }
      }
    }
  }

  /** One vector's width of a block of 32 inputs at a time: its scales stay in registers. */
  private static void simple(TensorType type, long block, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      long to = out + 4L * o;
      switch (type) {
        case Q8_0 -> eight(block + 2L * o, block + 64 + o, to);
        case Q4_0 -> centered(block + 2L * o, 0, block + 64 + o, to);
        case Q5_0 -> centered(block + 2L * o, block + 64 + 4L * o, block + 192 + o, to);
        case Q4_1 -> affine(block + 2L * o, 0, block + 128 + o, to);
        case Q5_1 -> affine(block + 2L * o, block + 128 + 4L * o, block + 256 + o, to);
        default -> throw new IllegalArgumentException(type.word() + " is not a type of weights");
      }
    }
  }

  private static void eight(long scales, long levels, long out) {
    FloatVector scale = half(scales);
    for (int k = 0; k < 32; k++) {
      FloatVector level = (FloatVector) signed(levels + 32L * k).convert(VectorOperators.I2F, 0);
      Lanes.store(level.mul(scale), out + (long) k * LINE);
    }
  }

  private static void centered(long scales, long high, long levels, long out) {
    FloatVector scale = half(scales);
    if (high == 0) four(levels, scale, scale.mul(-8), out);
    else five(levels, high, scale, scale.mul(-16), out);
  }

  private static void affine(long scales, long high, long levels, long out) {
    FloatVector scale = half(scales);
    FloatVector offset = half(scales + 64);
    if (high == 0) four(levels, scale, offset, out);
    else five(levels, high, scale, offset, out);
  }

  private static void affineSuper(long block, boolean five, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      for (int sub = 0; sub < 8; sub++) {
        long at = block + 128 + sub * (five ? 704L : 576L) + o;
        affineSub(block + 2L * o, at, five, at + 64 + 3L * o, out + 32L * sub * LINE + 4L * o);
      }
    }
  }

  private static void affineSub(long scales, long at, boolean five, long high, long out) {
    FloatVector scale = half(scales).mul((FloatVector) unsigned(at).convert(VectorOperators.I2F, 0));
    FloatVector offset =
        half(scales + 64)
            .neg()
            .mul((FloatVector) unsigned(at + 32).convert(VectorOperators.I2F, 0));
    if (five) five(at + 192, high, scale, offset, out);
    else four(at + 64, scale, offset, out);
  }

  private static void four(long levels, FloatVector scale, FloatVector offset, long out) {
    for (int j = 0; j < 16; j++) {
      IntVector pair = unsigned(levels + 32L * j);
      FloatVector low = (FloatVector) pair.and(15).convert(VectorOperators.I2F, 0);
      FloatVector top =
          (FloatVector) pair.lanewise(VectorOperators.LSHR, 4).convert(VectorOperators.I2F, 0);
      Lanes.store(low.fma(scale, offset), out + (long) j * LINE);
      Lanes.store(top.fma(scale, offset), out + (long) (j + 16) * LINE);
    }
  }

  private static void five(
      long levels, long highBits, FloatVector scale, FloatVector offset, long out) {
    IntVector high = Lanes.loadInts(highBits);
    for (int j = 0; j < 16; j++) {
      IntVector pair = unsigned(levels + 32L * j);
      // Bits j and j + 16 of the word become bit 4 of either level.
      IntVector two = high.lanewise(VectorOperators.LSHR, j);
      IntVector low = pair.and(15).or(two.and(1).lanewise(VectorOperators.LSHL, 4));
      IntVector top =
          pair.lanewise(VectorOperators.LSHR, 4)
              .or(two.lanewise(VectorOperators.LSHR, 12).and(16));
      Lanes.store(
          ((FloatVector) low.convert(VectorOperators.I2F, 0)).fma(scale, offset),
          out + (long) j * LINE);
      Lanes.store(
          ((FloatVector) top.convert(VectorOperators.I2F, 0)).fma(scale, offset),
          out + (long) (j + 16) * LINE);
    }
  }

  private static void sixSuper(long block, long out) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      for (int sub = 0; sub < 16; sub++) {
        long at = block + 64 + sub * 416L + o;
        six(block + 2L * o, at, at + 32 + 3L * o, out + 16L * sub * LINE + 4L * o);
      }
    }
  }

  private static void six(long scales, long at, long highBits, long out) {
    FloatVector scale = half(scales).mul((FloatVector) signed(at).convert(VectorOperators.I2F, 0));
    FloatVector offset = scale.mul(-32);
    IntVector high = Lanes.loadInts(highBits);
    for (int j = 0; j < 8; j++) {
      IntVector pair = unsigned(at + 160 + 32L * j);
      IntVector two = high.lanewise(VectorOperators.LSHR, 2 * j);
      IntVector low = pair.and(15).or(two.and(3).lanewise(VectorOperators.LSHL, 4));
      IntVector top =
          pair.lanewise(VectorOperators.LSHR, 4)
              .or(two.lanewise(VectorOperators.LSHR, 12).and(48));
      Lanes.store(
          ((FloatVector) low.convert(VectorOperators.I2F, 0)).fma(scale, offset),
          out + (long) j * LINE);
      Lanes.store(
          ((FloatVector) top.convert(VectorOperators.I2F, 0)).fma(scale, offset),
          out + (long) (j + 8) * LINE);
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
          (IntVector)
              Lanes.loadShorts(from + 2L * i).convertShape(VectorOperators.S2I, I, 0);
      Lanes.store(
          bits.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats(), out + 4L * i);
    }
  }

  /**
   * Vectors of f16 as f32: exponent and mantissa moved into place are the number times 2⁻¹¹²,
   * subnormal ones too; what was infinite or not a number comes out at 65536 or more.
   */
  private static FloatVector half(long address) {
    IntVector bits =
        (IntVector) Lanes.loadShorts(address).convertShape(VectorOperators.S2I, I, 0);
    FloatVector value =
        bits.lanewise(VectorOperators.LSHL, 13)
            .and(0x8fffe000)
            .reinterpretAsFloats()
            .mul(0x1p112f);
    VectorMask<Float> infinite = value.abs().compare(VectorOperators.GE, 65536f);
    return value
        .reinterpretAsInts()
        .lanewise(VectorOperators.OR, 0x7f800000, infinite.cast(I))
        .reinterpretAsFloats();
  }

  private static IntVector signed(long address) {
    return (IntVector) Lanes.loadBytes(address).convertShape(VectorOperators.B2I, I, 0);
  }

  private static IntVector unsigned(long address) {
    return (IntVector)
        Lanes.loadBytes(address).convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
  }
}
