package dev.ridgeline.tensor.kernel.assembled;

/**
 * A vector register. Its width decides how instructions on it are encoded: VEX for 256 bits, EVEX
 * for 512.
 */
public record Vec(int number, int bits) {
  public Vec {
    int registers = bits == 512 ? 32 : 16;
    if (bits != 256 && bits != 512 || number < 0 || number >= registers) {
      throw new IllegalArgumentException("register %d of %d bits".formatted(number, bits));
    }
  }

  public int bytes() {
    return bits / 8;
  }

  @Override
  public String toString() {
    return (bits == 512 ? "zmm" : "ymm") + number;
  }
}
