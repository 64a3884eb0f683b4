package dev.ridgeline.lab.memory;

import dev.ridgeline.lab.stats.Interval;

/** Whether memory that is held grows with the work that is done. */
public enum Growth {
  /** It does, for sure. */
  GROWS,
  /** Not by more than matters, or not for sure: the upper bound says what is ruled out. */
  STEADY,
  /** Too little was measured to tell. */
  UNSURE;

  /**
   * What a slope says.
   *
   * @param slope bytes that stay for each unit of work
   * @param least bytes that matter
   */
  public static Growth of(Interval slope, double least) {
    if (slope.low() > 0 && slope.estimate() >= least) return GROWS;
    return slope.bounded() ? STEADY : UNSURE;
  }
}
