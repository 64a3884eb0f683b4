package dev.ridgeline.model;

import java.util.Locale;

/** How texts are spread over the workers. Every strategy gives the same bits. */
public enum Strategy {
  /** One text at a time, each of its operations split over the workers. */
  FINE,
  /** Texts spread over the workers, each text on one of them from beginning to end. */
  COARSE,
  /** All tokens of a batch in one ragged matrix, its operations split over the workers. */
  PACKED,
  /** {@link #FINE} for a single text, {@link #PACKED} for more. */
  AUTO;

  /** What runs for so many texts. */
  Strategy chosen(int texts) {
    if (this != AUTO) return this;
    return texts == 1 ? FINE : PACKED;
  }

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
