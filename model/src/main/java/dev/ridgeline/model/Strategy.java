package dev.ridgeline.model;

import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Locale;

/** How texts are spread over the workers. Every strategy gives the same bits. */
public enum Strategy {
  /** One text at a time, each of its operations split over the workers. */
  FINE,
  /** Texts spread over the workers, each text on one of them from beginning to end. */
  COARSE,
  /** All tokens of a batch in one ragged matrix, its operations split over the workers. */
  PACKED,
  /**
   * {@link #FINE} for a single text, {@link #PACKED} for more, unless {@code tune} found something
   * else to be faster here.
   */
  AUTO;

  /** What runs for so many texts, by thresholds that may be tried. */
  public Strategy chosen(int texts, Tiling tiling) {
    if (this != AUTO) return this;
    int coarse = tiling.get(Tunable.AUTO_COARSE);
    if (coarse > 0 && texts >= coarse) return COARSE;
    return texts >= tiling.get(Tunable.AUTO_PACKED) ? PACKED : FINE;
  }

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
