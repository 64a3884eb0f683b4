package dev.ridgeline.bench.ab;

import dev.ridgeline.bench.trend.RecordedNoise;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.run.Metric.Better;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Sessions of {@code ab} as it runs them, with a clock that is made up and trials whose noise was
 * recorded: how often is the verdict right, and how often is the truth within the interval?
 *
 * @param sessions that were run
 * @param faster that said so
 * @param slower that said so
 * @param same that said {@code no difference}
 * @param held whose interval, where it had bounds, holds the planted change
 * @param bounded whose interval had bounds
 * @param pairs of all sessions together
 */
public record SimulatedSessions(
    int sessions, int faster, int slower, int same, int held, int bounded, long pairs) {
  private static final double THRESHOLD = 0.02;

  /** Seconds that a trial takes besides what it measures: the start of its process. */
  private static final double START = 1;

  /** … and for each second that it measures: warming up takes two. */
  private static final double WITH_WARM_UP = 3;

  /** Mean length of what is taken from a recording in one piece. */
  private static final double STRETCH = 20;

  /** More values than any session has trials. */
  private static final int VALUES = 1000;

  /**
   * Runs some.
   *
   * @param slowdown of B: 0.1 is a tenth more time
   */
  public static SimulatedSessions run(
      RecordedNoise noise, double slowdown, double budget, int sessions, long seed) {
    var random = new SplittableRandom(seed);
    int[] verdicts = new int[Verdict.values().length];
    int held = 0;
    int bounded = 0;
    long pairs = 0;
    double truth = -Math.log1p(slowdown);
    for (int i = 0; i < sessions; i++) {
      Session session = session(noise, truth, budget, random.split());
      verdicts[session.finding().verdict().ordinal()]++;
      pairs += session.pairs();
      var effect = session.finding().effect();
      if (!effect.bounded()) continue;
      bounded++;
      if (effect.contains(truth)) held++;
    }
    return new SimulatedSessions(
        sessions,
        verdicts[Verdict.FASTER.ordinal()],
        verdicts[Verdict.SLOWER.ordinal()],
        verdicts[Verdict.NO_DIFFERENCE.ordinal()],
        held,
        bounded,
        pairs);
  }

  private static Session session(
      RecordedNoise noise, double truth, double budget, SplittableRandom random) {
    double[] logs = noise.again(VALUES, STRETCH, random);
    long[] now = {0};
    Runner<Arm> runner =
        (arm, number, seconds, _) -> {
          double took = (START + WITH_WARM_UP * seconds) * (0.9 + 0.2 * random.nextDouble());
          now[0] += (long) (took * 1e9);
          double rate = Math.exp(logs[number % VALUES] + (arm.isB() ? truth : 0));
          var value = new Reading.Value("rate", "1/s", Better.HIGHER, rate);
          return new Runner.Measured(Reading.of(value), "");
        };
    var question = new Session.Question(THRESHOLD, budget, random.nextLong(), null);
    Session session =
        new Session(
            question,
            runner,
            Session.Watcher.NONE,
            new Host(() -> now[0], () -> new MachineLoad(now[0] / 10_000_000, 0, 0, 0)));
    session.run();
    return session;
  }

  /**
   * @param args how many sessions of each kind, the seed, and records of {@code ab} whose noise is
   *     taken besides the recordings that are kept
   */
  public static void main(String[] args) {
    int sessions = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 20261118;
    List<RecordedNoise> all = new ArrayList<>();
    for (String name : List.of("embed-quiet", "embed-busy", "softmax-quiet")) {
      all.add(RecordedNoise.medians(name));
    }
    for (int i = 2; i < args.length; i++) all.add(RecordedNoise.ofExperiment(Path.of(args[i])));
    for (RecordedNoise noise : all) {
      System.out.print(noise.about());
      System.out.printf(Locale.ROOT, "a trial scatters by %.1f %%%n", 100 * noise.scatter());
      tell(noise, 0, 40, sessions, seed);
      tell(noise, 0, 60, sessions, seed);
      tell(noise, 0, 120, sessions, seed);
      for (double slowdown : new double[] {0.03, 0.05, 0.1, 0.2}) {
        tell(noise, slowdown, 60, sessions, seed);
      }
      tell(noise, 0.5, 20, sessions, seed);
      tell(noise, 1, 20, sessions, seed);
    }
  }

  private static void tell(
      RecordedNoise noise, double slowdown, double budget, int sessions, long seed) {
    SimulatedSessions them = run(noise, slowdown, budget, sessions, seed);
    System.out.printf(
        Locale.ROOT, "%+4.0f %% in %3.0f s: %s%n", 100 * slowdown, budget, them.line());
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "slower %.1f %%, faster %.1f %%, no difference %.1f %%, interval holds it %.1f %%, %.1f"
            + " pairs",
        100.0 * slower / sessions,
        100.0 * faster / sessions,
        100.0 * same / sessions,
        100.0 * held / Math.max(1, bounded),
        (double) pairs / sessions);
  }
}
