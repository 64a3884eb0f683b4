package dev.ridgeline.bench;

/**
 * A program to be profiled from outside: units of some ten microseconds, so that a scope around
 * each makes 100,000 scopes a second. Argument: seconds to measure, after as many of warming up.
 * Prints units per second.
 */
public final class SteadyWork {
  private static double sink;

  private SteadyWork() {}

  public static void main(String[] args) {
    double seconds = Double.parseDouble(args[0]);
    unitsPerSecond(seconds);
    System.out.println(unitsPerSecond(seconds));
    if (sink == 42) System.out.println("unlikely");
  }

  private static double unitsPerSecond(double seconds) {
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long units = 0;
    long now;
    do {
      for (int i = 0; i < 100; i++) sink += unit(i);
      units += 100;
      now = System.nanoTime();
    } while (now < end);
    return units / ((now - start) / 1e9);
  }

  /** Each step waits for the one before: about four cycles. */
  static double unit(int n) {
    double x = n;
    for (int i = 0; i < 8_000; i++) x = x * 0.999 + 1.0;
    return x;
  }
}
