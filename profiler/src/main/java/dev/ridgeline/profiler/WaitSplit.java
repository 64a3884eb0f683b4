package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits the self times of lanes into running and waiting, by what looks at threads met.
 *
 * <p>The same scope at the same place of several lanes shares what was seen: a look at some of many
 * threads speaks for the others, too. All scopes together run no longer than looks met threads
 * runnable, plus the processor time of the process. The time beyond that, in which no look met a
 * thread and no processor can have worked for it, is waiting. It is divided as the same place was
 * seen waiting, and is {@link WaitState.Kind#OTHER} where it never was.
 */
final class WaitSplit {
  /** Some systems count processor time in steps of 10 ms. */
  private static final long CLOCK_STEPS = 20_000_000;

  private static final int KINDS = WaitState.Kind.values().length;
  private static final int LOCK = WaitState.Kind.LOCK.ordinal();
  private static final int OTHER = WaitState.Kind.OTHER.ordinal();

  /** A scope at one place, over all lanes. */
  private static final class Spot {
    final long[] seen = new long[KINDS];

    /** What its nodes have waited by what was seen of their own lanes. */
    final long[] own = new long[KINDS];

    /** What else they have waited, by what was seen of other lanes. */
    final long[] more = new long[KINDS];

    long selfNanos;

    /** The part of the self time in which nothing was seen. */
    long room;

    void share() {
      for (int k = 0; k < KINDS; k++) more[k] = Math.max(0, seen[k] - own[k]);
      Profile.Waiting fits = LaneWaits.fitted(more, room);
      Arrays.fill(more, 0);
      LaneWaits.add(fits, more);
    }

    void addUnseen(double nanos) {
      long all = sum(seen);
      if (all == 0) more[OTHER] += (long) nanos;
      else for (int k = 0; k < KINDS; k++) more[k] += (long) (nanos * seen[k] / all);
    }

    long runningNanos() {
      return selfNanos - sum(own) - sum(more);
    }

    long unseenNanos() {
      return room - sum(more);
    }
  }

  private record Where(Spot parent, int origin, String name) {}

  private final Map<Where, Spot> spots = new HashMap<>();
  private final List<Spot[]> spotOf = new ArrayList<>();
  private final List<Profile.Lane> lanes = new ArrayList<>();

  /**
   * @param seen what was seen of the first of the lanes
   * @param runnableNanos how long looks met threads in scopes runnable
   * @param cpuNanos processor time of the process, {@link Profile#UNKNOWN} where nobody tells
   */
  WaitSplit(List<Profile.Lane> recorded, List<LaneWaits> seen, long runnableNanos, long cpuNanos) {
    int known = Math.min(recorded.size(), seen.size());
    for (int i = 0; i < recorded.size(); i++) {
      gather(recorded.get(i), i < known ? seen.get(i) : LaneWaits.NONE);
    }
    for (Spot spot : spots.values()) spot.share();
    if (cpuNanos >= 0) bound(runnableNanos + cpuNanos + CLOCK_STEPS);
    for (int i = 0; i < recorded.size(); i++) {
      lanes.add(split(recorded.get(i), i < known ? seen.get(i) : LaneWaits.NONE, spotOf.get(i)));
    }
  }

  List<Profile.Lane> lanes() {
    return lanes;
  }

  /** What was kept of the time that a node's place was seen waiting for locks. */
  double partOfLock(int lane, int node) {
    Spot spot = spotOf.get(lane)[node];
    return (double) (spot.own[LOCK] + spot.more[LOCK]) / spot.seen[LOCK];
  }

  private void gather(Profile.Lane lane, LaneWaits seen) {
    List<Profile.Node> nodes = lane.nodes();
    Spot[] places = new Spot[nodes.size()];
    for (int i = 0; i < places.length; i++) {
      Profile.Node node = nodes.get(i);
      Spot parent = node.isTask() || node.parent() < 0 ? null : places[node.parent()];
      Where where = new Where(parent, node.origin(), node.name());
      Spot spot = spots.computeIfAbsent(where, _ -> new Spot());
      places[i] = spot;
      Profile.Waiting own = seen.waiting(i, node.time().selfNanos());
      spot.selfNanos += Math.max(0, node.time().selfNanos());
      spot.room += room(node, own, seen.ranNanos(i));
      LaneWaits.add(own, spot.own);
      seen.addTo(spot.seen, i);
    }
    spotOf.add(places);
  }

  private static long room(Profile.Node node, Profile.Waiting own, long ranNanos) {
    return Math.max(0, node.time().selfNanos() - own.nanos() - ranNanos);
  }

  private void bound(long mostNanos) {
    long beyond = -mostNanos;
    long unseen = 0;
    for (Spot spot : spots.values()) {
      beyond += spot.runningNanos();
      unseen += spot.unseenNanos();
    }
    if (beyond <= 0 || unseen == 0) return;
    double part = Math.min(1, (double) beyond / unseen);
    for (Spot spot : spots.values()) spot.addUnseen(part * spot.unseenNanos());
  }

  private static Profile.Lane split(Profile.Lane lane, LaneWaits seen, Spot[] places) {
    List<Profile.Node> nodes = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      Profile.Node node = lane.nodes().get(i);
      Profile.Waiting waiting = seen.waiting(i, node.time().selfNanos());
      long room = room(node, waiting, seen.ranNanos(i));
      if (room > 0 && sum(places[i].more) > 0) {
        waiting = waiting.plus(part(places[i].more, (double) room / places[i].room));
      }
      nodes.add(node.with(waiting));
    }
    return lane.with(nodes);
  }

  private static Profile.Waiting part(long[] kinds, double part) {
    long[] parts = new long[KINDS];
    for (int k = 0; k < KINDS; k++) parts[k] = (long) (part * kinds[k]);
    return LaneWaits.fitted(parts, Long.MAX_VALUE);
  }

  private static long sum(long[] kinds) {
    long sum = 0;
    for (long nanos : kinds) sum += nanos;
    return sum;
  }
}
