package dev.ridgeline.tensor.kernel.assembled;

/**
 * How a row of f32 lies once it is bytes: the numbers, then for each block what its sums begin
 * with, then the scales of blocks, then that of the row.
 *
 * @param block numbers that share a scale
 * @param words whether numbers take two bytes, of each four the second and the third exchanged
 * @param zero what was added to the weights: sums begin with so many times −1 the sum of a block's
 *     numbers; with 0 it is that sum itself, times the block's scale, for minima
 */
record RowFormat(int block, boolean words, int zero, Steps steps) {
  /** What the numbers of a row are multiples of once they are bytes. */
  enum Steps {
    /** In each block the largest magnitude over 127, as llama.cpp has it. */
    BY_BLOCK,
    /** For the row its largest magnitude over 127, halved in blocks that allow it. */
    BY_HALVES
  }

  /** What the product of a form wants. */
  static RowFormat of(PanelForm form, ByteProducts how, Steps steps) {
    return new RowFormat(form.block, how == ByteProducts.WORDS, form.zero, steps);
  }

  int numberBytes() {
    return words ? 2 : 1;
  }

  /** The numbers of a block, as a power of two of bytes. */
  int blockShift() {
    return Integer.numberOfTrailingZeros(block * numberBytes());
  }

  /** All that a row takes. */
  long bytes(int inputs) {
    return (long) inputs * numberBytes() + 8L * (inputs / block) + 4;
  }

  /** Part of the names of kernels. */
  String word() {
    return (words ? "words" : "bytes")
        + "-"
        + block
        + (zero == 0 ? "-sums" : "-zero-" + zero)
        + (steps == Steps.BY_HALVES ? "-halves" : "");
  }
}
