package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.Interval;
import java.util.List;

/**
 * Which arm is the best, if one is.
 *
 * @param arm the name of the one that looked best; the reference's where none looked better
 * @param found how sure that is
 * @param first the gain over the reference in the rounds of all arms, as a log-ratio, positive
 *     where it is better; that of the nearest other arm where the reference is best
 * @param again the same in rounds of those two alone; null where there were none
 * @param alike arms that cannot be told from it: neither is better than the other for sure
 */
public record Winner(String arm, Found found, Interval first, Interval again, List<String> alike) {
  /** How a search for a winner can end. */
  public enum Found {
    /** It is better than the reference, and fresh rounds agreed. */
    WINNER("a winner"),
    /** Every other arm is worse than the reference by more than the threshold, for sure. */
    REFERENCE("the reference is best"),
    /** No arm is better than the reference by more than the threshold for sure. */
    NONE("no real winner"),
    /** One looked better, and fresh rounds did not agree. */
    NOT_CONFIRMED("no real winner: fresh rounds did not agree"),
    /** One looked better, and it ended before fresh rounds could say whether it is. */
    NOT_REPEATED("one looked better, ended before fresh rounds could agree"),
    /** Too little was measured to tell. */
    TOO_FEW("too few rounds to tell");

    private final String words;

    Found(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public Winner {
    alike = List.copyOf(alike);
  }

  /** How sure each interval must be among so many arms: each has a chance to look best. */
  static double confidence(int arms) {
    return 1 - (1 - Outcome.CONFIDENCE) / Math.max(1, arms - 1);
  }

  /** Whether the reference should make room. */
  public boolean real() {
    return found == Found.WINNER;
  }
}
