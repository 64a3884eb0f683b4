package dev.ridgeline.tensor.kernel.vector;

/** The right side of a product, given out as f32 panels of 32 outputs. */
sealed interface Weights permits Matrix, Keys, Values {
  /** How many outputs there are; the last panel is padded with anything finite. */
  int outputs();

  /** How many inputs are summed. */
  int inputs();

  /**
   * The address of 32 numbers per input, for inputs {@code from … from + depth}.
   *
   * @param scratch where they may be put
   */
  long panel(int panel, int from, int depth, long scratch);

  /** Bytes from one input's numbers to the next in what {@link #panel} gave. */
  int stride(int panel);
}
