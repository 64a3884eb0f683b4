package dev.ridgeline.lab.verdict;

import java.util.Locale;

/** The five words that a comparison may end with. */
public enum Verdict {
  /** The change made it faster: the interval clears threshold and noise, and it recurred. */
  FASTER,
  /** The change made it slower, proven in the same way. */
  SLOWER,
  /** The interval lies within the threshold: if there is a difference, it does not matter. */
  NO_DIFFERENCE,
  /** The trials do not suffice to say. */
  INCONCLUSIVE,
  /** The same code ran on both sides, whatever the times say. */
  NO_EFFECT;

  /** As it is printed, and as scripts read it: {@code no difference}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
