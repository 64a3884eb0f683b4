package dev.ridgeline.tensor.kernel.assembled;

/**
 * A vector register. Its width decides how instructions on it are encoded: EVEX for 512 bits and
 * where there is a mask, else VEX.
 *
 * @param mask which lanes an instruction writes when this is its result; null for all
 * @param zeroing whether the other lanes become zero instead of staying as they are
 */
public record Vec(int number, int bits, Mask mask, boolean zeroing) implements Operand {
  public Vec {
    int registers = bits == 512 ? 32 : 16;
    if (bits != 128 && bits != 256 && bits != 512 || number < 0 || number >= registers) {
      throw new IllegalArgumentException("register %d of %d bits".formatted(number, bits));
    }
    if (mask != null && bits != 512)
      throw new IllegalArgumentException("mask of %d bits".formatted(bits));
  }

  public Vec(int number, int bits) {
    this(number, bits, null, false);
  }

  public int bytes() {
    return bits / 8;
  }

  /** The same register seen narrower. */
  public Vec as(int width) {
    return new Vec(number, width);
  }

  /** Lanes outside the mask stay. */
  public Vec merging(Mask lanes) {
    return new Vec(number, bits, lanes, false);
  }

  /** Lanes outside the mask become zero. */
  public Vec zeroing(Mask lanes) {
    return new Vec(number, bits, lanes, true);
  }

  @Override
  public String toString() {
    String name = (bits == 512 ? "zmm" : bits == 256 ? "ymm" : "xmm") + number;
    return mask == null ? name : name + "{" + mask + "}" + (zeroing ? "{z}" : "");
  }
}
