package dev.ridgeline.lab.memory;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.TheilSen;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What is held and what each scope allocates, read between stretches of work: on the heap after a
 * collection, outside of it by the profiler's ledger. Its own room is taken at the start, so that
 * it does not see itself grow.
 */
public final class MemorySeries {
  public static final String LIVE = "live heap";
  public static final String OWNED = "owned outside the heap";
  public static final String GROWTH = "live heap growth";
  public static final String OWNED_GROWTH = "owned growth";
  public static final String ALLOCATED = "allocated in ";

  /** Code is loaded and linked in the first stretches. */
  private static final int SETTLING = 2;

  private static final int MOST_SCOPES = 12;

  /** Places along the work that are kept, at most. */
  private static final int MOST_PLACES = 12;

  private final double[] units;
  private final double[] live;
  private final double[] owned;
  private final Map<String, double[]> allocated = new LinkedHashMap<>();
  private int count;

  /**
   * @param most stretches that are kept; later ones are left out
   */
  public MemorySeries(int most) {
    units = new double[most];
    live = new double[most];
    owned = new double[most];
  }

  /** Reads everything; called between stretches, while a session runs. */
  public void after(double unitsDone) {
    if (count == units.length) return;
    Profile profile = Profiler.snapshot();
    long outside = 0;
    for (Profile.LedgerEntry entry : profile.ledger()) outside += entry.bytes();
    for (CallTree.Node node : profile.tree().nodes()) {
      if (node.parent() == null || node.selfAllocatedBytes() <= 0) continue;
      String path = String.join(" › ", node.path());
      allocated.computeIfAbsent(path, _ -> new double[units.length])[count] +=
          node.selfAllocatedBytes();
    }
    profile = null;
    System.gc();
    live[count] = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    owned[count] = outside;
    units[count++] = unitsDone;
  }

  /** How much more is on the heap after each unit. */
  public Interval growth(double confidence) {
    return slope(live, confidence);
  }

  /** The same outside of the heap. */
  public Interval ownedGrowth(double confidence) {
    return slope(owned, confidence);
  }

  private Interval slope(double[] held, double confidence) {
    int from = Math.min(SETTLING, count);
    return TheilSen.slope(
        Arrays.copyOfRange(units, from, count), Arrays.copyOfRange(held, from, count), confidence);
  }

  /**
   * As a run keeps it.
   *
   * @param unit what is counted: {@code text}
   */
  public List<Metric> metrics(String unit) {
    List<Metric> metrics = new ArrayList<>();
    if (count <= SETTLING + 1) return metrics;
    String per = "B/" + unit;
    metrics.add(Metric.of(GROWTH, per, Better.NEITHER, growth(0.95).estimate()));
    metrics.add(Metric.of(OWNED_GROWTH, per, Better.NEITHER, ownedGrowth(0.95).estimate()));
    metrics.add(Metric.of(LIVE, "B", Better.NEITHER, Arrays.copyOf(live, count)));
    metrics.add(Metric.of(OWNED, "B", Better.NEITHER, Arrays.copyOf(owned, count)));
    for (int place : places()) {
      double done = units[place];
      metrics.add(more(LIVE, done, live[place] - live[SETTLING]));
      metrics.add(more(OWNED, done, owned[place] - owned[SETTLING]));
    }
    allocated.entrySet().stream()
        .sorted(Comparator.comparingDouble(each -> -each.getValue()[count - 1]))
        .limit(MOST_SCOPES)
        .forEach(each -> metrics.add(byUnit(each.getKey(), each.getValue(), per)));
    return metrics;
  }

  /**
   * What the metric is called that tells how much more is held after so many units than when all
   * had settled.
   *
   * @param held {@link #LIVE} or {@link #OWNED}
   */
  public static String more(String held, double units) {
    return "%s, more after %s".formatted(held, Quantity.count(Math.round(units)));
  }

  private static Metric more(String held, double units, double bytes) {
    return Metric.of(more(held, units), "B", Better.NEITHER, bytes);
  }

  /** Stretches from the first that is settled to the last, at even distances. */
  private int[] places() {
    int last = count - 1 - SETTLING;
    int steps = Math.min(MOST_PLACES - 1, last);
    return IntStream.rangeClosed(0, steps).map(i -> SETTLING + i * last / steps).toArray();
  }

  /** What a scope allocated in each stretch, for a unit of its work. */
  private Metric byUnit(String scope, double[] total, String per) {
    double[] each = new double[count - 1];
    for (int i = 1; i < count; i++) {
      each[i - 1] = (total[i] - total[i - 1]) / (units[i] - units[i - 1]);
    }
    return Metric.of(ALLOCATED + scope, per, Better.NEITHER, each);
  }
}
