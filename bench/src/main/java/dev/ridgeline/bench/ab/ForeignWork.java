package dev.ridgeline.bench.ab;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A Java program that knows nothing of this project: sorts numbers for a while and says how long
 * that took. {@code -Dmore=10} plants a tenth more of the same work.
 */
public final class ForeignWork {
  /** What B does more of has to be a whole number of these. */
  private static final int ROUNDS = 600;

  private static final int WARM_UP = 300;
  private static final int NUMBERS = 10_000;

  private ForeignWork() {}

  /** Prints the time of the work, and a sum that shows that it was done. */
  public static void main(String[] args) {
    int rounds =
        (int) Math.round(ROUNDS * (1 + Double.parseDouble(System.getProperty("more", "0")) / 100));
    long sum = sort(WARM_UP);
    long begin = System.nanoTime();
    sort(rounds);
    double millis = (System.nanoTime() - begin) / 1e6;
    System.out.printf(Locale.ROOT, "sum %d, took %.3f ms%n", sum, millis);
  }

  private static long sort(int rounds) {
    var random = new SplittableRandom(7);
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      int[] numbers = random.ints(NUMBERS).toArray();
      Arrays.sort(numbers);
      sum += numbers[i % NUMBERS];
    }
    return sum;
  }
}
