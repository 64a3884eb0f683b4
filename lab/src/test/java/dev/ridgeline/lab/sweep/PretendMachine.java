package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A machine with a clock and trials that are made up, and as bad as real ones: it gets slower and
 * faster over minutes, its noise remembers the trial before, and some processes come out slower.
 */
final class PretendMachine implements Runner<Arm> {
  static final String RATE = "rate";

  long nanos;
  long others;
  boolean busy;

  /** While it is busy, every so many trials are left in peace; 0 for none. */
  int calmEvery = 3;

  /** What the plans of arms say; their names, unless said. */
  final Map<String, String> plan = new HashMap<>();

  int stopAfter = Integer.MAX_VALUE;
  double startSeconds = 0.5;
  Better better = Better.HIGHER;

  /** How often in a hundred a trial of an arm is twice as fast, all others alike; or null. */
  Map<String, Integer> twice;

  /** Whether a trial takes as long as it is told, or as long as it likes. */
  boolean obeys = true;

  /** True speed by arm; 1 where there is none. */
  final Map<String, Double> speed = new HashMap<>();

  /** Seconds of a trial by arm, beside those of the measuring. */
  final Map<String, Double> slow = new HashMap<>();

  final List<String> ran = new ArrayList<>();
  private final Random random;
  private final double noise;
  private double remembered;
  private final double phase;

  PretendMachine(long seed, double noise) {
    this.random = new Random(seed);
    this.noise = noise;
    this.phase = random.nextDouble() * 6;
  }

  @Override
  public Measured run(Arm arm, int number, double seconds, double most) throws Stopped {
    if (number > stopAfter) throw new Stopped();
    ran.add(arm.name());
    double took = startSeconds + slow.getOrDefault(arm.name(), 0.0) + (obeys ? seconds : 0);
    nanos += (long) (took * 1e9);
    boolean calm = calmEvery > 0 && number % calmEvery == 0;
    if (busy && !calm) others += (long) (took * (number % 2 == 0 ? 50 : 30));
    remembered = 0.7 * remembered + noise * random.nextGaussian();
    double fork = random.nextInt(4) == 0 ? -2 * noise : 0;
    double drift = 0.05 * Math.sin(nanos / 1e9 / 90 + phase) - 1e-4 * nanos / 1e9;
    double log = remembered + fork + drift + noise * random.nextGaussian();
    double rate = 100 * speed.getOrDefault(arm.name(), 1.0) * Math.exp(log);
    if (twice != null) rate = random.nextInt(100) < twice.get(arm.name()) ? 200 : 100;
    double value = better == Better.LOWER ? 1e4 / rate : rate;
    return new Measured(
        new Reading(
            // What is 0 decides nothing, though it comes first.
            List.of(
                new Reading.Value("allocated", "B", Better.LOWER, 0),
                new Reading.Value(RATE, "1/s", better, value)),
            Map.of(),
            Map.of(),
            "digest"),
        Map.of("arm", plan.getOrDefault(arm.name(), arm.name())),
        "arms/" + arm.name());
  }

  /** One processor on which others are busy while {@link #busy} says so. */
  Host host() {
    return new Host(() -> nanos, () -> new MachineLoad(nanos / 10_000_000, others, 0, 0));
  }

  static List<Arm> arms(int count) {
    List<Arm> arms = new ArrayList<>();
    for (int i = 0; i < count; i++) arms.add(new Arm("arm-" + i, Map.of("n", "" + i)));
    return arms;
  }

  /** A sweep over it, finished. */
  Sweep sweep(List<Arm> arms, double budget, boolean winner, long seed) {
    var question =
        new Sweep.Question(
            arms,
            arms.getFirst().name(),
            null,
            0.02,
            budget,
            seed,
            winner ? Aim.WINNER : Aim.EACH,
            0,
            false);
    Sweep sweep = new Sweep(question, this, (_, _) -> {}, host());
    sweep.run();
    return sweep;
  }
}
