package dev.ridgeline.cli.generate;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * What a token costs by its position, and how much of that is looking back: scores and sums over
 * all tokens before it, which only attention does. The rest reads weights, the same for each.
 */
final class Positions {
  /** Positions to a point of the series; more when there would be too many points. */
  private static final int STEP = 32;

  private static final int MOST_POINTS = 16;

  /** The operation that looks back. */
  private static final String LOOKING_BACK = "heads";

  private static final long STUDY_NANOS = 500_000_000L;

  private final int step;
  private final int points;

  /** Of each pass of each point, which part of it was looking back. */
  private final List<List<Double>> shares = new ArrayList<>();

  private Positions(int deepest) {
    int wide = STEP;
    while (deepest / wide >= MOST_POINTS) wide *= 2;
    step = wide;
    points = deepest / step + 1;
    for (int i = 0; i < points; i++) shares.add(new ArrayList<>());
  }

  /**
   * The series of measured passes. Which part is attention's is found by going the same way once
   * more, in a session of its own that is in no profile.
   *
   * @param each what the time is of: a token, or a pass that makes one for each of many sequences
   * @return null where there is nothing to tell
   */
  static Series of(
      String name,
      String each,
      Passes passes,
      Generator generator,
      int[][] prompts,
      Sampling sampling,
      Level level) {
    if (passes.deepest() == 0) return null;
    Positions positions = new Positions(passes.deepest());
    // Another level than that of the measured phase would run code that is not warm.
    Options options = Options.of(level == Level.TRACE ? Level.ALLOCATION : level);
    positions.study(generator, prompts, sampling, options);
    return positions.series(name, each, passes);
  }

  /** A small model goes the way many times, so that a bad moment of the machine does not count. */
  private void study(Generator generator, int[][] prompts, Sampling sampling, Options options) {
    Profiler.start(options);
    try {
      long begin = System.nanoTime();
      do {
        generator.forget();
        generator.observe(new Study());
        generator.generate(prompts, sampling, Listener.DEAF);
      } while (System.nanoTime() - begin < STUDY_NANOS);
    } finally {
      Profiler.stop();
      generator.observe(Observer.BLIND);
    }
  }

  /** Looks at the running profile after each pass: what it took, and what part looked back. */
  private final class Study implements Observer {
    private double backBefore;
    private double allBefore;

    Study() {
      share();
    }

    @Override
    public void passed(boolean prefill, int sequences, int rows, int position, long nanos) {
      double share = share();
      if (!prefill && share >= 0) shares.get(point(position)).add(Math.min(share, 1));
    }

    /** Of the time since the last look; not a number before anything was decoded. */
    private double share() {
      CallTree.Node decode = Profiler.snapshot().tree().find("decode");
      if (decode == null) return Double.NaN;
      double back = sum(decode);
      double all = decode.correctedTotalNanos();
      double share = (back - backBefore) / (all - allBefore);
      backBefore = back;
      allBefore = all;
      return share;
    }
  }

  private int point(int position) {
    return Math.min(points - 1, position / step);
  }

  private static double sum(CallTree.Node node) {
    if (node.name().equals(LOOKING_BACK)) return node.correctedTotalNanos();
    double sum = 0;
    for (CallTree.Node child : node.children()) if (!child.isTask()) sum += sum(child);
    return sum;
  }

  private Series series(String name, String each, Passes passes) {
    List<String> labels = new ArrayList<>();
    List<Double> looking = new ArrayList<>();
    List<Double> rest = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      double millis = passes.medianMillis(i * step, (i + 1) * step);
      if (Double.isNaN(millis)) continue;
      // A moment in which the machine did something else takes part in neither.
      double[] some = shares.get(i).stream().mapToDouble(Double::doubleValue).toArray();
      double share = some.length == 0 ? 0 : Median.of(some);
      labels.add("%d–%d".formatted(i * step, (i + 1) * step - 1));
      looking.add(millis * share);
      rest.add(millis * (1 - share));
    }
    List<Series.Part> parts =
        List.of(new Series.Part("attention", looking), new Series.Part("the rest", rest));
    return new Series(name, "ms/" + each, labels, parts, note(each, looking, rest));
  }

  private static String note(String each, List<Double> looking, List<Double> rest) {
    String why =
        "Attention looks back at every token before it and so grows with the position; the rest"
            + " reads weights, as many for each "
            + each
            + ".";
    if (looking.size() < 2) return why;
    return why
        + " From the first to the last row attention went from %s to %s ms, the rest from %s to %s."
            .formatted(
                Quantity.number(looking.getFirst()),
                Quantity.number(looking.getLast()),
                Quantity.number(rest.getFirst()),
                Quantity.number(rest.getLast()));
  }
}
