package dev.ridgeline.tensor.kernel.assembled;

/** A tile register, tmm0 to tmm7: up to 16 rows of up to 64 bytes, as the configuration says. */
public record Tile(int number) {
  public Tile {
    if (number < 0 || number > 7) throw new IllegalArgumentException("tile register " + number);
  }

  @Override
  public String toString() {
    return "tmm" + number;
  }
}
