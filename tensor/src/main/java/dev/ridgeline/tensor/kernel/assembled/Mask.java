package dev.ridgeline.tensor.kernel.assembled;

/** A register of mask bits, k1 to k7; k0 means that nothing is masked. */
public record Mask(int number) {
  public Mask {
    if (number < 1 || number > 7) throw new IllegalArgumentException("mask register " + number);
  }

  @Override
  public String toString() {
    return "k" + number;
  }
}
