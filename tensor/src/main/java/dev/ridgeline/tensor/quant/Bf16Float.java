package dev.ridgeline.tensor.quant;

/** The upper half of an f32: its range, with eight bits of precision. */
public final class Bf16Float {
  private Bf16Float() {}

  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** The nearest one, ties to even; what is not a number stays so and becomes quiet. */
  public static short of(float number) {
    int bits = Float.floatToRawIntBits(number);
    if (Float.isNaN(number)) return (short) (bits >>> 16 | 64);
    return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
  }
}
