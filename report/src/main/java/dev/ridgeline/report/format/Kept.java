package dev.ridgeline.report.format;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What became of the raw events of a profile when a file was written. The newest are kept, over all
 * threads alike.
 *
 * @param events in the file
 * @param dropped older ones that the profiler's ring had no room for
 * @param cut older ones that the file's limit had no room for
 * @param limitBytes that limit
 */
public record Kept(long events, long dropped, long cut, long limitBytes) {
  /** The largest file of raw events, unless another limit is asked for. */
  public static final long LIMIT_BYTES = 64_000_000;

  /** What is missing, in one line; empty when nothing is. */
  public String missing() {
    List<String> reasons = new ArrayList<>();
    if (dropped > 0) reasons.add(Quantity.count(dropped) + " by the profiler's ring");
    if (cut > 0) {
      reasons.add(Quantity.count(cut) + " by the file's limit of " + Quantity.bytes(limitBytes));
    }
    return reasons.isEmpty()
        ? ""
        : "older events dropped: " + String.join(", ", reasons) + "; aggregates are complete";
  }

  /** Upper bound of what an event takes in a file. */
  @FunctionalInterface
  interface Cost {
    long bytes(int lane, int event);
  }

  /** The first event of each lane that is kept when there is so much room for all. */
  static int[] first(Profile profile, long room, Cost cost) {
    List<Lane> lanes = profile.timeline();
    int[] first = new int[lanes.size()];
    // Lanes by the end of their newest event that is not yet in.
    PriorityQueue<Integer> newest =
        new PriorityQueue<>(
            Comparator.comparingLong((Integer l) -> end(lanes.get(l).trace(), first[l] - 1))
                .reversed()
                .thenComparingInt(l -> l));
    for (int l = 0; l < first.length; l++) {
      first[l] = lanes.get(l).trace().size();
      if (first[l] > 0) newest.add(l);
    }
    long left = room;
    while (!newest.isEmpty()) {
      int l = newest.poll();
      left -= cost.bytes(l, first[l] - 1);
      if (left < 0) break;
      if (--first[l] > 0) newest.add(l);
    }
    return first;
  }

  private static long end(Trace trace, int event) {
    return trace.startNanos(event) + trace.durationNanos(event);
  }

  /** What a choice of {@link #first} keeps of all lanes. */
  static Kept of(Profile profile, int[] first, long limitBytes) {
    List<Lane> lanes = profile.timeline();
    long events = 0;
    long dropped = 0;
    long cut = 0;
    for (int l = 0; l < first.length; l++) {
      Kept one = of(lanes.get(l), first[l], limitBytes);
      events += one.events;
      dropped += one.dropped;
      cut += one.cut;
    }
    return new Kept(events, dropped, cut, limitBytes);
  }

  /** What is kept of one lane. */
  static Kept of(Lane lane, int first, long limitBytes) {
    return new Kept(lane.trace().size() - first, lane.trace().dropped(), first, limitBytes);
  }
}
