package dev.ridgeline.cli.profile;

import java.util.function.LongSupplier;

/**
 * Fits a measurement into a time that nobody asked to exceed, on any machine: how much is warmed
 * up, how much is measured, and when it is enough.
 *
 * <p>Sizes are halves of halves, so that runs on a slow machine do the same work each time. Times
 * come from a clock that the caller brings.
 */
public final class Pace {
  /** The whole command takes at most so long unless it is asked for more. */
  public static final double SECONDS = 30;

  /** Of that, for checking results, drawing reports and starting the JVM. */
  static final double REST = 5;

  /** The part of what is left that warming up may take. */
  private static final double WARM_UP = 0.4;

  /** The part of what is left then that the measured passes may take. */
  private static final double MEASURED = 0.7;

  /** A pass of the warm-up that is shorter may become twice as large. */
  private static final double SHORT_PASS = 0.25;

  /** Fewer do not tell a spread; rather fewer texts than fewer passes. */
  private static final int FEWEST_PASSES = 3;

  private static final int FEWEST_TEXTS = 4;

  private final LongSupplier nanoClock;
  private final long end;

  /** From now on. */
  public Pace(LongSupplier nanoClock, double seconds) {
    this.nanoClock = nanoClock;
    this.end = nanoClock.getAsLong() + (long) ((seconds - REST) * 1e9);
  }

  /**
   * What is measured.
   *
   * @param texts of a pass
   * @param passes over them
   */
  public record Length(int texts, int passes) {}

  /** Seconds until nothing more is to be measured. */
  public double left() {
    return (end - nanoClock.getAsLong()) / 1e9;
  }

  /** Seconds that warming up may take, at most those given. */
  public double warmUp(double most) {
    return Math.min(most, Math.max(0, WARM_UP * left()));
  }

  /** Texts of the first pass of a warm-up: nobody knows yet how long one takes. */
  public int first() {
    return 1;
  }

  /** Texts of the next pass: more after a short one. */
  public int next(int texts, double seconds, int most) {
    return seconds < SHORT_PASS ? Math.min(2 * texts, most) : texts;
  }

  /** What there is time to measure, of what would be measured where there was enough. */
  public Length length(double secondsPerText, Length most) {
    double room = MEASURED * left();
    int passes = most.passes;
    int texts = most.texts;
    while (texts * passes * secondsPerText > room && passes > FEWEST_PASSES) passes--;
    while (texts * passes * secondsPerText > room && texts > FEWEST_TEXTS) texts = half(texts);
    while (texts * passes * secondsPerText > room && passes > 1) passes--;
    return new Length(texts, passes);
  }

  /** Down to a power of two. */
  private static int half(int texts) {
    return Math.max(FEWEST_TEXTS, Integer.highestOneBit(texts - 1));
  }

  /** Whether there is time for something that took so long before. */
  public boolean timeFor(double seconds) {
    return left() >= seconds;
  }

  /** How many of some that are alike and take so long each there is time for, at least one. */
  public int count(double seconds, int most) {
    return (int) Math.clamp(left() / Math.max(seconds, 1e-9), 1, most);
  }
}
