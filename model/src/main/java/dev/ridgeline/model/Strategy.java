package dev.ridgeline.model;

import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Locale;

/** How texts are spread over the workers. Every strategy gives the same bits. */
public enum Strategy {
  /** One text at a time, each of its operations split over the workers. */
  FINE,
  /**
   * Texts spread over the workers, each text on one of them from beginning to end, together with
   * others where they are short.
   */
  COARSE,
  /** All tokens of a batch in one ragged matrix, its operations split over the workers. */
  PACKED,
  /**
   * {@link #FINE} for a single text, {@link #PACKED} for a few, {@link #COARSE} where every worker
   * has enough of them; {@code tune} may find other thresholds.
   */
  AUTO;

  /** With fewer texts a worker, some would have nothing to do in the end. */
  private static final int LEAST_EACH = 2;

  /** What runs for so many texts, by thresholds that may be tried. */
  public Strategy chosen(int texts, int workers, Tiling tiling) {
    if (this != AUTO) return this;
    int coarse = tiling.get(Tunable.AUTO_COARSE);
    if (coarse > 0 && texts >= Math.max(coarse, (long) LEAST_EACH * workers)) return COARSE;
    return texts >= tiling.get(Tunable.AUTO_PACKED) ? PACKED : FINE;
  }

  /** Whether {@link #COARSE} may run, of which every worker has a workspace of its own. */
  boolean mayBeCoarse() {
    return this == COARSE || this == AUTO;
  }

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
