package dev.ridgeline.profiler;

import dev.ridgeline.profiler.SampleTable.Owner;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Objects that a session allocated and that the latest collection left alive, as the flight
 * recorder kept them: a few hundred of all.
 *
 * <p>An object comes at the end of the recording, when the scopes of its time are mostly forgotten.
 * It then belongs where its class was sampled being allocated by the same code on that thread; to
 * the scope around, where that were several.
 *
 * <p>An object tells its size, not what it stands for. The more bytes an object has, the likelier
 * it was kept, and the largest all were. So small ones stand for the same number of bytes each:
 * what is left of the growth of the heap when the large ones are taken away.
 */
final class LiveObjects {
  /**
   * An object.
   *
   * @param owner by its time, {@link Owner#UNATTRIBUTED} where that is forgotten
   */
  record Found(Owner owner, long thread, int stack, String type, long bytes) {}

  private record Row(Owner owner, int stack, String type) {}

  /** Code as it was written: how it was compiled may have changed meanwhile. */
  private record Line(String type, String method, int line) {
    static Line of(Location at) {
      return new Line(at.type(), at.method(), at.line());
    }
  }

  private record Site(String type, List<Line> stack) {}

  private final long heapBefore = SystemMonitor.heapAfterLastCollection();
  private final List<Found> objects = new ArrayList<>();

  void add(Found object) {
    objects.add(object);
  }

  /**
   * What the objects stand for, by scope, code and class.
   *
   * @param samples what was sampled, the objects' stacks included
   * @param ranOn whether a lane may be that of a thread
   */
  List<Allocated> rows(Profile profile, Samples samples, BiPredicate<Integer, Long> ranOn) {
    Map<Site, List<Owner>> sites = objects.isEmpty() ? Map.of() : sites(samples);
    long[] sizes = objects.stream().mapToLong(Found::bytes).toArray();
    long grown = profile.system().heapAfterGcBytes() - heapBefore;
    long[] weights = weights(sizes, grown);
    Map<Row, long[]> rows = new LinkedHashMap<>();
    for (int i = 0; i < sizes.length; i++) {
      Found object = objects.get(i);
      Owner owner = object.owner;
      if (!isKnown(owner, profile)) owner = Owner.UNATTRIBUTED;
      if (owner.equals(Owner.UNATTRIBUTED)) {
        List<Owner> all = sites.getOrDefault(site(samples, object.type, object.stack), List.of());
        owner = around(all.stream().filter(o -> ranOn(o, object.thread, ranOn)).toList(), profile);
      }
      long[] sum =
          rows.computeIfAbsent(new Row(owner, object.stack, object.type), _ -> new long[2]);
      sum[0]++;
      sum[1] += weights[i];
    }
    List<Allocated> all = new ArrayList<>();
    rows.forEach(
        (row, sum) ->
            all.add(
                new Allocated(
                    row.owner.lane(), row.owner.node(), row.stack, row.type, sum[0], sum[1])));
    return all;
  }

  /** Bytes that objects of these sizes stand for: in all {@code grown}, or their own if more. */
  static long[] weights(long[] sizes, long grown) {
    double each = 0;
    double left = grown;
    int small = sizes.length;
    // Each round finds more that are large, or none.
    for (int before = -1; small != before && small > 0; ) {
      before = small;
      each = Math.max(0, left / small);
      left = grown;
      small = 0;
      for (long size : sizes) {
        if (size > each) left -= size;
        else small++;
      }
    }
    long[] weights = new long[sizes.length];
    for (int i = 0; i < sizes.length; i++) weights[i] = Math.max(sizes[i], Math.round(each));
    return weights;
  }

  private static Map<Site, List<Owner>> sites(Samples samples) {
    Map<Site, List<Owner>> sites = new HashMap<>();
    for (Allocated row : samples.allocations()) {
      if (row.stack() == Samples.NO_STACK) continue;
      sites
          .computeIfAbsent(site(samples, row.type(), row.stack()), _ -> new ArrayList<>())
          .add(new Owner(row.lane(), row.node()));
    }
    return sites;
  }

  private static Site site(Samples samples, String type, int stack) {
    return new Site(type, samples.stack(stack).stream().map(Line::of).toList());
  }

  private static boolean ranOn(Owner owner, long thread, BiPredicate<Integer, Long> ranOn) {
    return owner.lane() < 0 || ranOn.test(owner.lane(), thread);
  }

  private static boolean isKnown(Owner owner, Profile profile) {
    List<Profile.Lane> lanes = profile.lanes();
    return owner.lane() < 0
        || owner.lane() < lanes.size() && owner.node() < lanes.get(owner.lane()).nodes().size();
  }

  /** The innermost scope that is around all of these. */
  private static Owner around(List<Owner> owners, Profile profile) {
    if (owners.isEmpty()) return Owner.UNATTRIBUTED;
    Owner all = owners.getFirst();
    for (Owner owner : owners) {
      if (all.lane() != owner.lane()) return Owner.UNATTRIBUTED;
      int a = all.node();
      int b = owner.node();
      while (a != b) {
        List<Profile.Node> nodes = profile.lanes().get(all.lane()).nodes();
        // Parents stand before their children.
        if (a > b) a = nodes.get(a).parent();
        else b = nodes.get(b).parent();
      }
      if (all.lane() >= 0 && a < 0) return Owner.UNATTRIBUTED;
      all = new Owner(all.lane(), a);
    }
    return all;
  }
}
