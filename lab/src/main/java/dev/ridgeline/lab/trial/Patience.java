package dev.ridgeline.lab.trial;

import java.util.HashMap;
import java.util.Map;

/**
 * How long trials are waited for, so that one that hangs does not hold up its session for ever: the
 * first of an arm as long as the budget allows, those after it many times what that took.
 */
public final class Patience {
  /** A trial that takes so many times what those before it took hangs. */
  private static final double HANGS = 10;

  /** … and these seconds more, for trials that take next to nothing. */
  private static final double HANGS_SECONDS = 10;

  /**
   * Seconds beyond the budget in which a first trial may still end, and say what would do: a JVM
   * takes seconds to start where others want the processor, too.
   */
  private static final double MOST_BEYOND = 10;

  /** … fewer only where the budget is next to nothing. */
  private static final double LEAST_BEYOND = 1;

  private static final double BUDGETS_BEYOND = 100;

  private final double budgetSeconds;
  private final Map<Object, Double> longest = new HashMap<>();

  public Patience(double budgetSeconds) {
    this.budgetSeconds = budgetSeconds;
  }

  /** Seconds for a trial of which nothing is known. */
  private static double first(double budgetSeconds) {
    return budgetSeconds + Math.clamp(BUDGETS_BEYOND * budgetSeconds, LEAST_BEYOND, MOST_BEYOND);
  }

  /** Seconds for one where the longest before it took so long. */
  private static double after(double longest) {
    return HANGS_SECONDS + HANGS * longest;
  }

  /**
   * Seconds that the next trial of an arm may take.
   *
   * @param measures about how long it will measure, which may be longer than it did before
   */
  public double with(Object arm, double measures) {
    Double before = longest.get(arm);
    return before == null ? first(budgetSeconds) : after(before + measures);
  }

  /** What one took. */
  public void took(Object arm, double seconds) {
    longest.merge(arm, seconds, Math::max);
  }
}
