package dev.ridgeline.lab.verdict;

import java.util.Arrays;
import java.util.Objects;

/**
 * Something that has no noise, compared exactly.
 *
 * @param name what it is: {@code output}, {@code allocated}
 * @param a of arm A, in words
 * @param b of arm B, in words
 * @param result how they compare
 */
public record Gate(String name, String a, String b, Result result) {
  private static final String OUTPUT = "output";

  /** So many trials of each side must agree before a count is called exact. */
  static final int FEWEST = 3;

  /**
   * So many trials of B must lie beyond all of A where trials differ: that each of them is the
   * largest of its triplet by chance happens less than once in two thousand times.
   */
  static final int FEWEST_BEYOND = 7;

  /** How the two sides compare. */
  public enum Result {
    /** Nothing changed. */
    SAME,
    /** Less than before. */
    LESS,
    /** More than before, or something else: the gate is closed. */
    WORSE,
    /** It is not the same from trial to trial of one side: here it is not exact. */
    VARIES,
    /** The sides differ, but in too few trials to call that exact. */
    FEW
  }

  /** Whether a change should not pass. */
  public boolean failed() {
    return result == Result.WORSE;
  }

  /** Whether it is the one of {@link #output}. */
  public boolean isOutput() {
    return name.equals(OUTPUT);
  }

  /** How the sides compare, in words. */
  public String word() {
    return switch (result) {
      case SAME -> "the same";
      case LESS -> "less";
      case WORSE -> isOutput() ? "another" : "more";
      case VARIES -> "not exact here, it varies from trial to trial";
      case FEW -> "differs in too few trials to tell";
    };
  }

  /** Outputs of one run each, by their digests. */
  public static Gate output(String a, String b) {
    return new Gate(OUTPUT, a, b, a.equals(b) ? Result.SAME : Result.WORSE);
  }

  /**
   * Outputs of all trials, by their digests; a side that does not agree with itself says nothing.
   */
  public static Gate output(String[] a, String[] b) {
    Result result = Result.VARIES;
    if (same(a) && same(b))
      result = exactly(Objects.equals(a[0], b[0]) ? 0 : 1, a.length, b.length);
    return new Gate(OUTPUT, words(a), words(b), result);
  }

  /** What a difference of sides is that agree with themselves. */
  private static Result exactly(double more, int a, int b) {
    if (more == 0) return Result.SAME;
    if (Math.min(a, b) < FEWEST) return Result.FEW;
    return more > 0 ? Result.WORSE : Result.LESS;
  }

  private static boolean same(String[] texts) {
    return Arrays.stream(texts).distinct().count() == 1;
  }

  private static String words(String[] texts) {
    return same(texts) ? texts[0] : "not the same in each trial";
  }

  /**
   * Amounts. Where all trials of a side agree, any difference counts; where they do not, only one
   * that many trials agree on and that is larger than all that trials of a side differ by.
   */
  public static Gate amount(String name, double[] a, double[] b) {
    double leastA = Arrays.stream(a).min().orElseThrow();
    double mostA = Arrays.stream(a).max().orElseThrow();
    double leastB = Arrays.stream(b).min().orElseThrow();
    double mostB = Arrays.stream(b).max().orElseThrow();
    double spread = Math.max(mostA - leastA, mostB - leastB);
    Result result = Result.VARIES;
    if (spread == 0) result = exactly(leastB - leastA, a.length, b.length);
    else if (b.length >= FEWEST_BEYOND) {
      if (leastB - mostA > spread) result = Result.WORSE;
      else if (leastA - mostB > spread) result = Result.LESS;
    }
    return new Gate(name, range(leastA, mostA), range(leastB, mostB), result);
  }

  private static String range(double least, double most) {
    return least == most ? number(least) : number(least) + " to " + number(most);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%,d".formatted((long) value) : "%,.2f".formatted(value);
  }
}
