package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.NibbleTable;

/**
 * How quantized weights lie in a panel of 32 outputs, the same in every tier.
 *
 * <p>A block is what shares a scale. Its weights are levels without a sign, four inputs of an
 * output in four bytes and 32 outputs side by side: a <em>line</em> for four inputs, or for eight
 * where a level has four bits: the next four inputs are in the upper halves. Bits above the fourth
 * follow in one line, for quad {@code q} the bits from {@code q} or {@code 2q} on of each byte. A
 * level minus {@link #zero}, or what the {@link #table} has for it, times the scale is the weight;
 * some types have a minimum as well.
 *
 * <p>Scales of f16, and minima, follow the weights of their block. Others are a byte each, times an
 * f16 for 256 inputs: those have a header before their blocks, with the f16 of scales, that of
 * minima, the bytes of all scales, and those of all minima.
 */
enum PanelForm {
  Q8_0(TensorType.Q8_0, 8, 32, 128, Scales.HALF, false),
  Q4_0(TensorType.Q4_0, 4, 32, 8, Scales.HALF, false),
  Q4_1(TensorType.Q4_1, 4, 32, 0, Scales.HALF, true),
  Q5_0(TensorType.Q5_0, 5, 32, 16, Scales.HALF, false),
  Q5_1(TensorType.Q5_1, 5, 32, 0, Scales.HALF, true),
  Q4_K(TensorType.Q4_K, 4, 32, 0, Scales.UNSIGNED, true),
  Q5_K(TensorType.Q5_K, 5, 32, 0, Scales.UNSIGNED, true),
  Q6_K(TensorType.Q6_K, 6, 16, 32, Scales.SIGNED, false),
  /** Two bits take four here: a product of them is not bound by memory. */
  Q2_K(TensorType.Q2_K, 4, 16, 0, Scales.UNSIGNED, true),
  /** Three bits take four here. */
  Q3_K(TensorType.Q3_K, 4, 16, 4, Scales.SIGNED, false),
  IQ4_NL(TensorType.IQ4_NL, 4, 32, 128, Scales.HALF, false),
  IQ4_XS(TensorType.IQ4_XS, 4, 32, 128, Scales.SIGNED, false),
  MXFP4(TensorType.MXFP4, 4, 32, 16, Scales.EXPONENT, false);

  /** How a block's scale is stored. */
  enum Scales {
    /** As f16. */
    HALF,
    /** As a byte times that of 256 inputs. */
    UNSIGNED,
    SIGNED,
    /** As the exponent of a power of two, as f32 has it; those below its least are zero. */
    EXPONENT
  }

  /** Inputs that share a header. */
  static final int SUPER = 256;

  private static final int LINE = 4 * PANEL;

  /** Products ask often, and {@code values()} would make an array each time. */
  private static final PanelForm[] OF_TYPES = new PanelForm[TensorType.values().length];

  static {
    for (PanelForm form : values()) OF_TYPES[form.type.ordinal()] = form;
  }

  final TensorType type;

  /** Of a stored level. */
  final int bits;

  /** Inputs of a block. */
  final int block;

  /** What was added to each weight to make it a level; a power of two, or 0. */
  final int zero;

  final Scales scales;

  /** Whether a block has a minimum, too. */
  final boolean minima;

  PanelForm(TensorType type, int bits, int block, int zero, Scales scales, boolean minima) {
    this.type = type;
    this.bits = bits;
    this.block = block;
    this.zero = zero;
    this.scales = scales;
    this.minima = minima;
  }

  /** The form of a type's weights; null where they are not quantized. */
  static PanelForm of(TensorType type) {
    return OF_TYPES[type.ordinal()];
  }

  /** What is looked up by a level, as levels once more; null where they are the weights. */
  byte[] table() {
    byte[] weights =
        switch (this) {
          case IQ4_NL, IQ4_XS -> NibbleTable.NON_LINEAR.bytes();
          case MXFP4 -> NibbleTable.FLOAT.bytes();
          default -> null;
        };
    for (int i = 0; weights != null && i < weights.length; i++) weights[i] += (byte) zero;
    return weights;
  }

  /** The highest level that is multiplied. */
  int most() {
    return switch (this) {
      case Q2_K -> 3;
      case Q3_K -> 7;
      case IQ4_NL, IQ4_XS -> 255;
      case MXFP4 -> 31;
      default -> (1 << bits) - 1;
    };
  }

  /** Whether 256 inputs share a header. */
  boolean grouped() {
    return scales == Scales.UNSIGNED || scales == Scales.SIGNED;
  }

  /** Quads of inputs in a block. */
  int quads() {
    return block / 4;
  }

  /** Whether bits above the fourth lie apart. */
  boolean splits() {
    return bits == 5 || bits == 6;
  }

  /** Where bits above the fourth lie in a block. */
  int highBits() {
    return bits == 8 ? quads() * LINE : quads() / 2 * LINE;
  }

  /** The weights of a block, and so where its scales lie, if there. */
  int levelBytes() {
    return highBits() + (splits() ? LINE : 0);
  }

  /** Where the minima of a block lie, if there. */
  int minimum() {
    return levelBytes() + 2 * PANEL;
  }

  int blockBytes() {
    return switch (scales) {
      case HALF -> minimum() + (minima ? 2 * PANEL : 0);
      case EXPONENT -> levelBytes() + PANEL;
      case UNSIGNED, SIGNED -> levelBytes();
    };
  }

  /** Blocks of a header. */
  int group() {
    return SUPER / block;
  }

  /** Where the bytes of scales lie in a header. */
  int groupScales() {
    return minima ? 4 * PANEL : 2 * PANEL;
  }

  /** From the byte of a scale to that of the minimum. */
  int groupMinima() {
    return group() * PANEL;
  }

  int headerBytes() {
    return grouped() ? groupScales() + (minima ? 2 : 1) * group() * PANEL : 0;
  }

  /** From a panel to the next. */
  long panelBytes(int inputs) {
    long bytes = (long) inputs / block * blockBytes();
    return grouped() ? bytes + (long) inputs / SUPER * headerBytes() : bytes;
  }
}
