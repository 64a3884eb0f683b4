package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bound;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What is said of a scope, the same in every format. Times are corrected for the recorder's own
 * cost; {@code NaN} stands for what is not known or makes no sense.
 */
public enum Column {
  RUNNING("running", Kind.TIME),
  SELF("self", Kind.TIME),
  SHARE("%", Kind.PERCENT),
  WAITING("waiting", Kind.TIME),
  WAITS_FOR("for", Kind.WORDS),
  REACHED("reached", Kind.REACHED),
  LIMITED_BY("limited by", Kind.WORDS),
  TO_WIN("to win", Kind.TIME),
  CALLS("calls", Kind.COUNT),
  TOTAL("total", Kind.TIME),
  AVERAGE("avg", Kind.CALL_TIME),
  MIN("min", Kind.CALL_TIME),
  MAX("max", Kind.CALL_TIME),
  P50("p50", Kind.CALL_TIME),
  P99("p99", Kind.CALL_TIME),
  SELF_ALLOCATED("self alloc", Kind.BYTES),
  ALLOCATED("allocated", Kind.BYTES),
  ALLOCATED_PER_CALL("alloc/call", Kind.BYTES),
  GIGABYTES("GB/s", Kind.RATE),
  GIGAFLOPS("GFLOP/s", Kind.RATE),
  GIGAOPS("GOP/s", Kind.RATE);

  /** How a column's numbers are written. */
  enum Kind {
    /** Milliseconds. */
    TIME,
    /** Time of one call, in the unit that suits the column. */
    CALL_TIME,
    PERCENT,
    COUNT,
    BYTES,
    RATE,
    /** Part of what is allowed, with its sign. */
    REACHED,
    WORDS
  }

  private final String title;
  private final Kind kind;

  Column(String title, Kind kind) {
    this.title = title;
    this.kind = kind;
  }

  String title() {
    return title;
  }

  /** The column that users call so; one that there is none of is an IllegalArgumentException. */
  public static Column of(String title) {
    for (Column column : values()) if (column.title.equalsIgnoreCase(title)) return column;
    String known = Arrays.stream(values()).map(Column::title).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("no column '" + title + "'; there are " + known);
  }

  Kind kind() {
    return kind;
  }

  double value(Node node, Report report) {
    return switch (this) {
      case RUNNING -> WaitWords.shown(report) ? node.correctedRunningNanos() : Double.NaN;
      case SELF -> node.correctedSelfNanos();
      case SHARE -> share(node.correctedRunningNanos(), runningNanos(report));
      case WAITING -> WaitWords.shown(report) ? WaitWords.nanos(node) : Double.NaN;
      // In words there is no order; all that wait come before those that do not.
      case WAITS_FOR -> WaitWords.shown(report) && !WaitWords.of(node).isEmpty() ? 1 : Double.NaN;
      case CALLS -> node.calls() + node.open();
      case TOTAL -> node.correctedTotalNanos();
      case AVERAGE -> node.calls() + node.open() == 0 ? Double.NaN : node.correctedAverageNanos();
      case MIN -> corrected(node, node.minNanos());
      case MAX -> corrected(node, node.maxNanos());
      case P50 -> corrected(node, node.percentileNanos(0.5));
      case P99 -> corrected(node, node.percentileNanos(0.99));
      case SELF_ALLOCATED -> known(node.selfAllocatedBytes());
      case ALLOCATED -> known(node.allocatedBytes());
      case ALLOCATED_PER_CALL -> known(node.allocatedBytes()) / begun(node);
      case GIGABYTES -> rate(node.work().bytes(), node, report);
      case GIGAFLOPS -> rate(node.work().flops(), node, report);
      case GIGAOPS -> rate(node.work().ops(), node, report);
      case REACHED -> bound(node, report, Bound::reached);
      // In words there is no order; all that are known come before those that are not.
      case LIMITED_BY -> bound(node, report, _ -> 1);
      case TO_WIN -> bound(node, report, Bound::toWinNanos);
    };
  }

  /** What a column of words says. */
  String words(Node node, Report report) {
    if (this == WAITS_FOR) {
      String kinds = WaitWords.of(node);
      return kinds.isEmpty() ? Cells.NOTHING : kinds;
    }
    Bound bound = report.bounds().of(node);
    return bound == null ? Cells.NOTHING : bound.limitedBy();
  }

  private static double bound(Node node, Report report, ToDoubleFunction<Bound> value) {
    Bound bound = report.bounds().of(node);
    return bound == null ? Double.NaN : value.applyAsDouble(bound);
  }

  /** Corrected time inside scopes, summed over all threads. */
  static double threadNanos(Report report) {
    return report.tree().root().correctedTotalNanos();
  }

  /** What percentages are of: the part of {@link #threadNanos} that was not waiting. */
  static double runningNanos(Report report) {
    return Math.max(0, threadNanos(report) - report.tree().root().threadWaitingNanos());
  }

  private static double share(double part, double all) {
    return all == 0 ? Double.NaN : part / all;
  }

  private static double begun(Node node) {
    long begun = node.calls() + node.open();
    return begun == 0 ? Double.NaN : begun;
  }

  /** Single calls are corrected by the mean cost of a call, so that min ≤ avg ≤ max stays true. */
  private static double corrected(Node node, long nanos) {
    if (node.calls() == 0) return Double.NaN;
    return nanos - (node.averageNanos() - node.correctedAverageNanos());
  }

  private static double known(long bytes) {
    return bytes == Profile.UNKNOWN ? Double.NaN : bytes;
  }

  private static double rate(long work, Node node, Report report) {
    boolean measurable =
        node.correctedTotalNanos() > 0 && !node.belowFloor(report.profile().calibration());
    return work > 0 && measurable ? work / node.correctedTotalNanos() : Double.NaN;
  }
}
