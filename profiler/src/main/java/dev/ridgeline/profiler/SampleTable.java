package dev.ridgeline.profiler;

import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.OfThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts samples by scope and stack while they come in, within bounds: what there is no room for
 * still counts for its scope, without its stack. Not for use by several threads at once.
 */
final class SampleTable {
  private static final int MOST_LOCATIONS = 1 << 15;
  private static final int MOST_CALLS = 1 << 17;
  private static final int MOST_ROWS = 1 << 16;

  /** Of more threads than that, those that come late are one. */
  private static final int MOST_THREADS = 1 << 10;

  private static final String OTHER_THREADS = "other threads";

  /** A scope of one lane; see {@link Samples#OUTSIDE} and {@link Samples#UNATTRIBUTED}. */
  record Owner(int lane, int node) {
    static final Owner OUTSIDE = new Owner(Samples.OUTSIDE, -1);
    static final Owner UNATTRIBUTED = new Owner(Samples.UNATTRIBUTED, -1);
  }

  private record Key(Owner owner, int stack, String what) {}

  private static final class Count {
    long samples;
    long weight;
  }

  private final Map<Location, Integer> locationOf = new HashMap<>();
  private final List<Location> locations = new ArrayList<>();
  private final Map<Call, Integer> callOf = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final Map<Key, Count> cpu = new LinkedHashMap<>();
  private final Map<Key, Count> allocations = new LinkedHashMap<>();
  private final Map<Key, Count> deoptimizations = new LinkedHashMap<>();
  private final Map<String, Count> threads = new LinkedHashMap<>();
  private long cutOff;

  /** The index of a location, or −1 when there is no room. */
  int location(Location location) {
    Integer known = locationOf.get(location);
    if (known != null) return known;
    if (locations.size() == MOST_LOCATIONS) return -1;
    locationOf.put(location, locations.size());
    locations.add(location);
    return locations.size() - 1;
  }

  /**
   * The index of a stack, given outermost first; {@link Samples#NO_STACK} when there is no room.
   */
  int stack(List<Location> outermostFirst) {
    int at = Samples.NO_STACK;
    for (Location location : outermostFirst) {
      int index = location(location);
      at = index < 0 ? Samples.NO_STACK : call(new Call(at, index));
      if (at == Samples.NO_STACK) {
        cutOff++;
        return at;
      }
    }
    return at;
  }

  private int call(Call call) {
    Integer known = callOf.get(call);
    if (known != null) return known;
    if (calls.size() == MOST_CALLS) return Samples.NO_STACK;
    callOf.put(call, calls.size());
    calls.add(call);
    return calls.size() - 1;
  }

  void cpu(Owner owner, int stack, String thread, long weight) {
    count(cpu, new Key(owner, stack, ""), weight);
    boolean room = threads.size() < MOST_THREADS || threads.containsKey(thread);
    Count count = threads.computeIfAbsent(room ? thread : OTHER_THREADS, _ -> new Count());
    count.samples++;
    count.weight += weight;
  }

  void allocation(Owner owner, int stack, String type, long bytes) {
    count(allocations, new Key(owner, stack, type), bytes);
  }

  void deoptimization(Owner owner, Location location, String reason) {
    int index = location(location);
    if (index >= 0) count(deoptimizations, new Key(owner, index, reason), 0);
  }

  private void count(Map<Key, Count> rows, Key key, long weight) {
    Count count = rows.get(key);
    if (count == null) {
      if (rows.size() >= MOST_ROWS && key.stack != Samples.NO_STACK) {
        cutOff++;
        count(rows, new Key(key.owner, Samples.NO_STACK, ""), weight);
        return;
      }
      count = new Count();
      rows.put(key, count);
    }
    count.samples++;
    count.weight += weight;
  }

  /** What was counted so far; a row of a scope that {@code lanes} do not know is unattributed. */
  Samples samples(
      Sampling options, String engine, List<Profile.Lane> lanes, Samples.Quality measured) {
    List<Cpu> cpuRows = new ArrayList<>();
    known(cpu, lanes)
        .forEach(
            (key, count) ->
                cpuRows.add(
                    new Cpu(
                        key.owner.lane, key.owner.node, key.stack, count.samples, count.weight)));
    List<OfThread> threadRows = new ArrayList<>();
    threads.forEach(
        (name, count) -> threadRows.add(new OfThread(name, count.samples, count.weight)));
    List<Allocated> allocationRows = new ArrayList<>();
    known(allocations, lanes)
        .forEach(
            (key, count) ->
                allocationRows.add(
                    new Allocated(
                        key.owner.lane,
                        key.owner.node,
                        key.stack,
                        key.what,
                        count.samples,
                        count.weight)));
    List<Deoptimized> deoptimizationRows = new ArrayList<>();
    known(deoptimizations, lanes)
        .forEach(
            (key, count) ->
                deoptimizationRows.add(
                    new Deoptimized(
                        key.owner.lane, key.owner.node, key.stack, key.what, count.samples)));
    return new Samples(
        options.cpu(),
        options.event(),
        engine,
        options.cpu() == Samples.Source.NONE ? 0 : options.every(),
        locations,
        calls,
        cpuRows,
        threadRows,
        allocationRows,
        List.of(),
        deoptimizationRows,
        new Samples.Quality(
            measured.lost(),
            measured.failed(),
            cutOff,
            measured.ownNanos(),
            measured.clockErrorNanos()));
  }

  /** A lane is copied while its thread goes on: a scope may be newer than the copy. */
  private static Map<Key, Count> known(Map<Key, Count> rows, List<Profile.Lane> lanes) {
    Map<Key, Count> known = new LinkedHashMap<>();
    rows.forEach(
        (key, count) -> {
          Owner owner = key.owner;
          boolean newer =
              owner.lane >= 0
                  && (owner.lane >= lanes.size()
                      || owner.node >= lanes.get(owner.lane).nodes().size());
          Key as = newer ? new Key(Owner.UNATTRIBUTED, key.stack, key.what) : key;
          Count sum = known.computeIfAbsent(as, _ -> new Count());
          sum.samples += count.samples;
          sum.weight += count.weight;
        });
    return known;
  }
}
