package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the faster one of two changes as something grows.
 *
 * <p>At a size one is faster <em>for sure</em> where the interval of their ratio excludes no
 * difference. Between the last size at which the one is faster for sure and the first at which the
 * other is, the change takes place; where sizes lie between these, nobody knows at which of them.
 *
 * @param first the one that is faster at small sizes, by all that is known
 * @param second the one that is faster at large sizes, or at all
 * @param sizes that were tried, ascending
 * @param found how sure it is
 * @param last index of the last size at which the first is faster for sure, or −1
 * @param from index of the first size at which the second is faster for sure, or −1
 * @param step index of the size from which on the second is faster by all that is known, sure or
 *     not; as many as there are sizes where that is beyond them
 * @param place where between two sizes the line of the change is drawn, by equal factors; NaN for
 *     none
 * @param open sizes at which neither is faster for sure
 */
public record Crossover(
    String first,
    String second,
    List<Integer> sizes,
    Found found,
    int last,
    int from,
    int step,
    double place,
    List<Integer> open) {
  /** How a search for the change can end. */
  public enum Found {
    /** Each is faster for sure somewhere, and the change lies between. */
    CHANGES,
    /** Only one of them is faster for sure anywhere. */
    ONE_SIDED,
    /** Nowhere is either faster for sure. */
    ALIKE,
    /** Sure changes in both directions: not one place. */
    SEVERAL
  }

  public Crossover {
    sizes = List.copyOf(sizes);
    open = List.copyOf(open);
  }

  /**
   * Finds it.
   *
   * @param gains of the one named {@code a} over {@code b} at each size, as log-ratios
   */
  public static Crossover of(String a, String b, List<Integer> sizes, List<Interval> gains) {
    if (sizes.isEmpty() || sizes.size() != gains.size()) {
      throw new IllegalArgumentException(
          "%d sizes, %d gains".formatted(sizes.size(), gains.size()));
    }
    int[] sure = gains.stream().mapToInt(g -> g.low() > 0 ? 1 : g.high() < 0 ? -1 : 0).toArray();
    double[] gain = gains.stream().mapToDouble(Interval::estimate).toArray();
    List<Integer> open = new ArrayList<>();
    int ends = 0;
    int changes = 0;
    for (int i = 0; i < sure.length; i++) {
      if (sure[i] == 0) {
        open.add(sizes.get(i));
        continue;
      }
      if (ends != 0 && sure[i] != ends) changes++;
      ends = sure[i];
    }
    if (changes > 1)
      return new Crossover(a, b, sizes, Found.SEVERAL, -1, -1, step(gain, 1), Double.NaN, open);
    boolean swapped = changes == 1 ? ends > 0 : swapped(gain);
    String first = swapped ? b : a;
    String second = swapped ? a : b;
    int sign = swapped ? -1 : 1;
    int step = step(gain, sign);
    int last = lastOf(sure, sign);
    int from = firstOf(sure, -sign);
    if (changes == 0) {
      Found found = ends == 0 ? Found.ALIKE : Found.ONE_SIDED;
      return new Crossover(first, second, sizes, found, last, from, step, Double.NaN, open);
    }
    int within = Math.clamp(step, last + 1, from);
    double place = place(sizes.get(within - 1), gain[within - 1], sizes.get(within), gain[within]);
    return new Crossover(first, second, sizes, Found.CHANGES, last, from, within, place, open);
  }

  /** Whether the one that gains are of looks faster at large sizes rather than at small ones. */
  private static boolean swapped(double[] gain) {
    double difference = wrong(gain, 1, step(gain, 1)) - wrong(gain, -1, step(gain, -1));
    return Math.abs(difference) < 1e-12 ? gain[gain.length - 1] > 0 : difference > 0;
  }

  /** Where to cut so that the least stands on the wrong side; the lowest of equals. */
  private static int step(double[] gain, int sign) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int cut = 0; cut <= gain.length; cut++) {
      double wrong = wrong(gain, sign, cut);
      if (wrong < least - 1e-12) {
        least = wrong;
        best = cut;
      }
    }
    return best;
  }

  private static double wrong(double[] gain, int sign, int cut) {
    double wrong = 0;
    for (int i = 0; i < gain.length; i++) {
      double of = sign * (Double.isNaN(gain[i]) ? 0 : gain[i]);
      wrong += i < cut ? Math.max(0, -of) : Math.max(0, of);
    }
    return wrong;
  }

  /** Where a line between two gains meets zero; halfway where both are on one side. */
  private static double place(double size, double gain, double next, double gainThere) {
    double part = gain * gainThere < 0 ? gain / (gain - gainThere) : 0.5;
    return size * Math.pow(next / size, part);
  }

  private static int firstOf(int[] sure, int sign) {
    for (int i = 0; i < sure.length; i++) if (sure[i] == sign) return i;
    return -1;
  }

  private static int lastOf(int[] sure, int sign) {
    for (int i = sure.length - 1; i >= 0; i--) if (sure[i] == sign) return i;
    return -1;
  }

  /** In words: {@code packed is faster up to 4, coarse from 8 on}. */
  public String words() {
    String not = open.isEmpty() ? "" : "; not told apart at " + listed(open);
    return switch (found) {
      case ALIKE -> "%s and %s cannot be told apart".formatted(first, second);
      case SEVERAL -> "%s and %s take turns: there is no one place%s".formatted(first, second, not);
      case ONE_SIDED ->
          open.isEmpty()
              ? "%s is faster than %s throughout".formatted(faster(), slower())
              : "%s is faster than %s%s".formatted(faster(), slower(), not);
      case CHANGES ->
          "%s is faster up to %,d, %s from %,d on%s"
              .formatted(first, sizes.get(last), second, sizes.get(from), not);
    };
  }

  private static String listed(List<Integer> sizes) {
    return sizes.stream().map("%,d"::formatted).collect(Collectors.joining(", "));
  }

  /** Where it is, as short as it can be told: {@code between 4 and 8}. */
  public String where() {
    return switch (found) {
      case CHANGES -> "between %,d and %,d".formatted(sizes.get(last), sizes.get(from));
      case ONE_SIDED ->
          open.isEmpty()
              ? "none: always " + faster()
              : "none found: %s where told apart".formatted(faster());
      case ALIKE -> "not told apart";
      case SEVERAL -> "several";
    };
  }

  /** The only one that is faster for sure anywhere. */
  private String faster() {
    return from >= 0 ? second : first;
  }

  private String slower() {
    return from >= 0 ? first : second;
  }

  /** Whether another run found the same change, to within one size. */
  public boolean agrees(Crossover other) {
    if (found == Found.ALIKE && other.found == Found.ALIKE) return true;
    if (found == Found.SEVERAL || other.found == Found.SEVERAL) return false;
    return Math.abs(step - other.stepTo(second)) <= 1;
  }

  /** The step to this one; who is always the faster one is so from the first size on. */
  private int stepTo(String name) {
    if (second.equals(name)) return step;
    return step == 0 ? sizes.size() : step == sizes.size() ? 0 : 2 * sizes.size();
  }
}
