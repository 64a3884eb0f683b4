package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Fits a measurement into a time that nobody asked to exceed, on any machine: how much is warmed
 * up, how much is measured, and when it is enough. Whoever says how much to do gets all of it.
 *
 * <p>Sizes are halves of halves, so that runs on a slow machine do the same work each time. Times
 * come from a clock that the caller brings.
 */
public final class Pace {
  /** The whole command takes at most so long unless it is asked for more. */
  public static final double SECONDS = 30;

  /** Of that, for checking results, drawing reports and starting the JVM. */
  static final double REST = 5;

  /** The part of what is left that warming up may take, however long measuring will take then. */
  private static final double WARM_UP = 0.4;

  /** Warming up goes on while all that is to be measured takes no more than this part of it. */
  private static final double SPARE = 0.5;

  /** The part of what is left then that the measured passes may take. */
  private static final double MEASURED = 0.7;

  /** A pass of the warm-up that is shorter may become twice as large. */
  private static final double SHORT_PASS = 0.25;

  /** Fewer do not tell a spread; rather fewer units than fewer passes. */
  private static final int FEWEST_PASSES = 3;

  private static final int FEWEST_UNITS = 4;

  private final LongSupplier nanoClock;
  private final boolean bounded;
  private final long end;

  private Pace(LongSupplier nanoClock, boolean bounded, double seconds) {
    this.nanoClock = nanoClock;
    this.bounded = bounded;
    this.end = nanoClock.getAsLong() + (long) ((seconds - REST) * 1e9);
  }

  /** So many seconds from now on. */
  public static Pace within(double seconds, LongSupplier nanoClock) {
    return new Pace(nanoClock, true, seconds);
  }

  /** As long as it takes. */
  public static Pace unbounded(LongSupplier nanoClock) {
    return new Pace(nanoClock, false, 0);
  }

  /** The usual time from now on, unless one of these options says how much to do. */
  public static Pace unlessGiven(Settings settings, List<Setting<?>> lengths) {
    return lengths.stream().anyMatch(settings::given)
        ? unbounded(System::nanoTime)
        : within(SECONDS, System::nanoTime);
  }

  /**
   * What is measured.
   *
   * @param units of a pass: texts, tokens or steps
   * @param passes over them
   */
  public record Length(int units, int passes) {}

  /**
   * How fast it goes.
   *
   * @param perPass seconds that a pass takes before its first unit
   * @param perUnit seconds
   */
  public record Speed(double perPass, double perUnit) {
    public double seconds(int units, int passes) {
      return passes * (perPass + units * perUnit);
    }
  }

  /** Seconds until nothing more is to be measured. */
  double left() {
    return bounded ? (end - nanoClock.getAsLong()) / 1e9 : Double.POSITIVE_INFINITY;
  }

  /** A warm-up begins. */
  public WarmUp warmUp(double mostSeconds) {
    return new WarmUp(mostSeconds);
  }

  /** How long to warm up. */
  public final class WarmUp {
    private final long begin = nanoClock.getAsLong();
    private final double most;
    private final double sure;

    private WarmUp(double most) {
      this.most = most;
      this.sure = Math.min(most, Math.max(0, WARM_UP * left()));
    }

    /**
     * Whether it may go on: for its part of the time, and for longer where all that is to be
     * measured still fits.
     */
    public boolean mayGoOn(Speed speed, Length all) {
      double seconds = (nanoClock.getAsLong() - begin) / 1e9;
      if (seconds < sure) return true;
      return seconds < most && speed.seconds(all.units, all.passes) <= SPARE * left();
    }
  }

  /** Units of the first pass of a warm-up: nobody knows yet how long one takes. */
  public int first(int most) {
    return bounded ? 1 : most;
  }

  /** Units of the next pass: more after a short one. */
  public int next(int units, double seconds, int most) {
    return seconds < SHORT_PASS ? Math.min(2 * units, most) : units;
  }

  /** What there is time to measure, of what would be measured where there was enough. */
  public Length length(Speed speed, Length most) {
    double room = MEASURED * left();
    int passes = most.passes;
    int units = most.units;
    while (speed.seconds(units, passes) > room && passes > FEWEST_PASSES) passes--;
    while (speed.seconds(units, passes) > room && units > FEWEST_UNITS) units = half(units);
    while (speed.seconds(units, passes) > room && passes > 1) passes--;
    return new Length(units, passes);
  }

  /** Down to a power of two. */
  private static int half(int units) {
    return Math.max(FEWEST_UNITS, Integer.highestOneBit(units - 1));
  }

  /** Whether there is time for something that took so long before. */
  public boolean timeFor(double seconds) {
    return left() >= seconds;
  }

  /** How many of some that are alike and take so long each there is time for, at least one. */
  public int count(double seconds, int most) {
    return (int) Math.clamp(left() / Math.max(seconds, 1e-9), 1, most);
  }

  /**
   * What a run says that did less than planned; null when it did all.
   *
   * @param unit {@code text}
   * @param option that asks for a number of them
   */
  public String shortened(Length done, Length planned, String unit, String option) {
    if (!bounded || done.units >= planned.units && done.passes >= planned.passes) return null;
    String all = Quantity.many(planned.units, unit);
    return "measured %s over %s, to end within %.0f s; to measure all: %s %d --iterations %d"
        .formatted(
            planned.passes == 1 ? "1 pass" : done.passes + " of " + planned.passes + " passes",
            done.units < planned.units ? "the first " + done.units + " of " + all : all,
            SECONDS,
            option,
            planned.units,
            planned.passes);
  }
}
