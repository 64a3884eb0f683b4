package dev.ridgeline.tensor.kernel.assembled;

/** Which instructions multiply bytes. All of them give the same whole numbers. */
enum ByteProducts {
  /** {@code vpdpbusd}: four products are added to each i32. */
  DOT,
  /** {@code vpmaddwd}: bytes become i16 first, and two products are added; any level fits. */
  WORDS,
  /**
   * {@code vpmaddubsw}: two products become an i16, and so do the sums of a block, where levels are
   * small enough that no sum is too large.
   */
  NIBBLES;

  /** Two products of levels up to 15 in each of eight sums: 30,480. */
  private static final int MOST = Short.MAX_VALUE;

  static ByteProducts of(PanelForm form, Tier tier) {
    if (tier.dots()) return DOT;
    return form.most() * 127 * 2 * form.quads() <= MOST ? NIBBLES : WORDS;
  }
}
