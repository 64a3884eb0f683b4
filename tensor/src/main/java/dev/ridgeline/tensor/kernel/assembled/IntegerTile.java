package dev.ridgeline.tensor.kernel.assembled;

/**
 * The shape of a tile of an {@link IntegerProduct}, and what its registers are for: for each row
 * the exact sums of a block for parts of the outputs; the sums over all blocks, if there are 32
 * registers; weights, which are also scales; numbers of the row.
 *
 * @param bits of registers
 * @param column the first output of the panel
 * @param parts vectors of outputs
 * @param few whether the tile is of one row or two and goes over the whole panel, with 16 registers
 * @param once whether a single tile reads the panel, and waits for memory
 */
record IntegerTile(int bits, int column, int parts, boolean few, boolean once) {
  /** Rows at most: more would need more pointers. */
  static final int MOST_ROWS = 6;

  boolean wide() {
    return bits == 512;
  }

  int lanes() {
    return bits / 32;
  }

  /** The first output of a part. */
  int output(int part) {
    return column + part * lanes();
  }

  private Vec vec(int number) {
    return new Vec(number, bits);
  }

  Vec exact(int row, int part) {
    return vec(parts * row + part);
  }

  /** With 32 registers. */
  Vec sum(int row, int part) {
    return vec(2 * MOST_ROWS + 2 * row + part);
  }

  /** Where sums are with 16 registers. */
  Mem storedSum(int row, int part) {
    return IntegerFrame.sum(parts * row + part);
  }

  /** Weights of a part; in a tile of few rows one register serves all parts. */
  Vec weights(int part) {
    return wide() ? vec(28 + part) : few ? vec(12) : vec(12 + part);
  }

  /** Of weights that become words, the even ones. */
  Vec even(int part) {
    return wide() ? vec(24 + part) : few ? vec(13) : vec(10 + part);
  }

  /** Scales of a part, once the products of a block are done. */
  Vec scales(int part) {
    return few ? vec(8 + part) : weights(part);
  }

  /** Minima of a part, where there are registers for them. */
  Vec minima(int part) {
    return vec(24 + part);
  }

  /** Numbers of a row, in every lane; few rows keep theirs. */
  Vec each(int row, int half) {
    return few ? vec(8 + 2 * row + half) : vec(wide() ? 27 : 14);
  }

  Vec temporary() {
    return vec(wide() ? 26 : 15);
  }

  /** A step of a row's block, or what comes of it. */
  Vec step() {
    return vec(wide() ? 31 : 14);
  }
}
