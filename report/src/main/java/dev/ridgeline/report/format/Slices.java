package dev.ridgeline.report.format;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import java.util.Arrays;
import java.util.List;

/**
 * Raw events of one lane as slices that nest: each begins and ends once, an inner one inside its
 * outer one, and time never goes back. Viewers insist on all of that.
 *
 * <p>What the profiler records nests by itself, and nothing is changed then; events out of a file
 * that somebody else wrote are moved to fit.
 */
final class Slices {
  /** Told of edges in the order of time. */
  interface Visitor {
    void begin(int event, long at);

    void end(int event, long at);
  }

  private final List<Profile.Node> nodes;
  private final Trace trace;
  private final int first;
  private final int[] depths;
  private final long[] starts;
  private final long[] ends;

  /** Edges in the order of time: an event where it begins, its complement where it ends. */
  private final int[] edges;

  /** The slices of a lane from the given event on. */
  Slices(Lane lane, int first) {
    this.nodes = lane.nodes();
    this.trace = lane.trace();
    this.first = first;
    depths = new int[nodes.size()];
    for (int i = 0; i < depths.length; i++) {
      int parent = nodes.get(i).parent();
      depths[i] = parent < 0 ? 0 : depths[parent] + 1;
    }
    edges = new int[2 * (trace.size() - first)];
    order(innermost());
    starts = new long[trace.size()];
    ends = new long[trace.size()];
    time();
  }

  /**
   * Of each event the earliest recorded one inside it, or itself. Events stand in the order in
   * which they ended, so those inside one come right before it. Times alone would not tell: on a
   * coarse clock, calls take no time.
   */
  private int[] innermost() {
    int[] innermost = new int[trace.size()];
    for (int event = first; event < innermost.length; event++) {
      int from = event;
      while (from > first && holds(event, from - 1)) from = innermost[from - 1];
      innermost[event] = from;
    }
    return innermost;
  }

  private boolean holds(int outer, int inner) {
    if (trace.startNanos(inner) < trace.startNanos(outer)) return false;
    int wanted = trace.node(outer);
    int at = trace.node(inner);
    if (at == wanted) return false;
    while (depths[at] > depths[wanted]) at = nodes.get(at).parent();
    return at == wanted;
  }

  /** From the last edge to the first: an end opens an event, and it begins before all inside. */
  private void order(int[] innermost) {
    int[] open = new int[16];
    int depth = 0;
    int at = edges.length;
    for (int event = trace.size() - 1; event >= first; event--) {
      while (depth > 0 && innermost[open[depth - 1]] > event) edges[--at] = open[--depth];
      if (depth == open.length) open = Arrays.copyOf(open, 2 * depth);
      open[depth++] = event;
      edges[--at] = ~event;
    }
    while (depth > 0) edges[--at] = open[--depth];
  }

  private void time() {
    long now = 0;
    for (int edge : edges) {
      int event = edge >= 0 ? edge : ~edge;
      long start = trace.startNanos(event);
      long end = start + trace.durationNanos(event);
      if (end < start) end = Long.MAX_VALUE;
      now = Math.max(now, edge >= 0 ? start : end);
      if (edge >= 0) starts[event] = now;
      else ends[event] = now;
    }
  }

  /** When an event began. */
  long start(int event) {
    return starts[event];
  }

  /** When an event ended. */
  long end(int event) {
    return ends[event];
  }

  /** Visits all edges; ends come innermost first. */
  void walk(Visitor visitor) {
    for (int edge : edges) {
      if (edge >= 0) visitor.begin(edge, starts[edge]);
      else visitor.end(~edge, ends[~edge]);
    }
  }
}
