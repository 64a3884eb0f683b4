package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Pace.Length;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The one loop of workloads: rounds until they are steady or the time for that is up, then rounds
 * that count, as many or as long as was asked for, or as there is time for.
 */
public abstract class RepeatedWorkload implements Workload {
  /** A round of the warm-up ends after so long: many short ones tell sooner that it is over. */
  private static final long WARM_ROUND_NANOS = 1_000_000_000L;

  /**
   * How much is asked for.
   *
   * @param units of a pass: texts, tokens or steps
   * @param passes to measure
   * @param atLeast seconds to measure, in whole passes; 0 to count them
   * @param warmUp seconds of warming up at most; a round is always run
   * @param pace what keeps it short, where nobody said how much to do
   */
  public record Amount(int units, int passes, double atLeast, double warmUp, Pace pace) {}

  private final String name;
  protected final Amount asked;
  protected final HeapMeter heap = new HeapMeter();

  /** What is measured: less than asked for where the machine is slow. */
  private Length length;

  private Steadiness steadiness = new Steadiness();

  /** Why it is not warm; null when it is, or was not warmed up. */
  private String cold;

  private long roundEnds;
  private int kept;
  private volatile boolean measuring;
  private volatile boolean cancelled;

  protected RepeatedWorkload(String name, Amount asked) {
    this.name = name;
    this.asked = asked;
    this.length = new Length(asked.units(), asked.passes());
  }

  @Override
  public final String name() {
    return name;
  }

  /**
   * Runs a round of the warm-up, and tells by {@link #took} how it went.
   *
   * @return the speed, as far as it is known
   */
  protected abstract Pace.Speed warm(int index, Progress progress);

  /** Runs a round that counts, and answers how many seconds it took; NaN if it was broken off. */
  protected abstract double round(int index);

  /** Rounds that are a pass together: fewer would be another mixture of work. */
  protected int roundsOfAPass() {
    return 1;
  }

  /** Passes of a measured phase at least, where its time is asked for. */
  protected int fewest() {
    return 2;
  }

  /** What is measured may be shorter than was asked for. */
  protected void shorten(Length shorter) {}

  /** Breaks a round off. */
  protected void breakOff() {}

  /** Takes down a round of the warm-up; see {@link Steadiness#add}. */
  protected final void took(long nanos, long units, long allocatedBytes) {
    steadiness.add(nanos, units, allocatedBytes, Steadiness.compiledMillis());
  }

  /** Rounds of another size from now on: they cannot be compared with those before. */
  protected final void startOver() {
    steadiness = new Steadiness();
  }

  /** Why what is measured now may be slower than it need be, or null. */
  protected String doubt() {
    return steadiness.cold();
  }

  @Override
  public void warmUp(Progress progress) {
    Pace.WarmUp time = asked.pace().warmUp(asked.warmUp());
    List<Pace.Speed> speeds = new ArrayList<>();
    do {
      progress.step("warming up, round " + (speeds.size() + 1));
      roundEnds = System.nanoTime() + WARM_ROUND_NANOS;
      speeds.add(warm(speeds.size(), progress));
      cold = doubt();
    } while (cold != null && time.mayGoOn(speeds.getLast(), length));
    progress.log("warm-up, speed of each round: " + speeds);
    length = asked.pace().length(speeds.getLast(), length);
    shorten(length);
  }

  /** Whether a round is to end early: one of the warm-up that is long enough, or any when told. */
  protected final boolean endsEarly() {
    return cancelled || !measuring && System.nanoTime() - roundEnds > 0;
  }

  @Override
  public void measure(Progress progress) {
    measuring = true;
    try {
      long start = System.nanoTime();
      double last = 0;
      for (int i = 0; !cancelled && more(i, last, (System.nanoTime() - start) / 1e9); i++) {
        progress.step("measuring, round", i + 1, Math.max(i + 1, planned()), "");
        last = round(i);
        if (!Double.isNaN(last)) kept++;
      }
    } finally {
      measuring = false;
    }
  }

  private boolean more(int rounds, double last, double seconds) {
    if (rounds > 0 && !asked.pace().timeFor(last)) return false;
    if (rounds < planned() || rounds % roundsOfAPass() != 0) return true;
    return asked.atLeast() > 0 && seconds < asked.atLeast();
  }

  /** Rounds to measure at least. */
  protected final int planned() {
    return asked.atLeast() > 0
        ? Math.max(fewest(), roundsOfAPass())
        : length.passes() * roundsOfAPass();
  }

  protected final boolean isMeasuring() {
    return measuring;
  }

  protected final boolean isCancelled() {
    return cancelled;
  }

  /** What is measured, with the time there is. */
  protected final Length length() {
    return length;
  }

  @Override
  public final boolean cancel() {
    if (!measuring || cancelled) return false;
    cancelled = true;
    breakOff();
    return true;
  }

  /** Where it was interrupted, {@code after 2 of 5 rounds}. */
  protected String interruption() {
    String rounds = "after " + Quantity.count(kept);
    return asked.atLeast() > 0
        ? rounds + " rounds"
        : rounds + " of " + Quantity.many(planned(), "round");
  }

  /** The end of a title where it was interrupted. */
  protected final String ending() {
    return cancelled ? " · interrupted " + interruption() : "";
  }

  /** How long is measured, or how often: less than asked for where the machine is slow. */
  protected final String often() {
    return asked.atLeast() > 0 ? asked.atLeast() + " s" : Integer.toString(planned());
  }

  /** The same for a title: {@code 5 times} or {@code 2.0 s}. */
  protected final String times() {
    return asked.atLeast() > 0 ? often() : "%,d times".formatted(length.passes());
  }

  /**
   * How it went.
   *
   * @param unit {@code text}
   * @param option that asks for a number of them
   */
  protected final Map<String, String> conditions(String unit, String option) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("warm-up", Quantity.many(steadiness.rounds(), "round") + ", not in the profile");
    String shortened =
        asked
            .pace()
            .shortened(
                new Length(length.units(), kept),
                new Length(asked.units(), asked.passes()),
                unit,
                option);
    if (shortened != null && !cancelled) conditions.put("shortened", shortened);
    if (cancelled) conditions.put("interrupted", interruption());
    if (cold != null) conditions.put(Run.COLD, cold);
    return conditions;
  }
}
