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

  /** How the two sides compare. */
  public enum Result {
    /** Nothing changed. */
    SAME,
    /** Less than before. */
    LESS,
    /** More than before, or something else: the gate is closed. */
    WORSE,
    /** It is not the same from trial to trial of one arm, and the arms overlap. */
    VARIES
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
      case VARIES -> "varies from trial to trial";
    };
  }

  /** Outputs, by their digests: every trial of an arm has the same, or the arm is no function. */
  public static Gate output(String[] a, String[] b) {
    boolean steady = same(a) && same(b);
    Result result =
        !steady ? Result.VARIES : Objects.equals(a[0], b[0]) ? Result.SAME : Result.WORSE;
    return new Gate(OUTPUT, words(a), words(b), result);
  }

  private static boolean same(String[] texts) {
    return Arrays.stream(texts).distinct().count() == 1;
  }

  private static String words(String[] texts) {
    return same(texts) ? texts[0] : "not the same in each trial";
  }

  /**
   * Amounts. Where an arm's own trials differ, the arms do only if no trial of one reaches into the
   * range of the other.
   */
  public static Gate amount(String name, double[] a, double[] b) {
    double leastA = Arrays.stream(a).min().orElseThrow();
    double mostA = Arrays.stream(a).max().orElseThrow();
    double leastB = Arrays.stream(b).min().orElseThrow();
    double mostB = Arrays.stream(b).max().orElseThrow();
    Result result = Result.VARIES;
    if (leastB > mostA) result = Result.WORSE;
    else if (mostB < leastA) result = Result.LESS;
    else if (leastA == mostA && leastB == mostB) result = Result.SAME;
    return new Gate(name, range(leastA, mostA), range(leastB, mostB), result);
  }

  private static String range(double least, double most) {
    return least == most ? number(least) : number(least) + " to " + number(most);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%,d".formatted((long) value) : "%,.2f".formatted(value);
  }
}
