package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.report.roofline.Bound.Told;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bounds of all scopes of a profile that declared work.
 *
 * <p>A thread that works alongside others has its share of what all cores do together, and at most
 * what one core does alone. Bytes are measured against reading, the fastest way to touch them. A
 * place whose tasks declare their own work has no bound: it waits, and they work. One whose tasks
 * declare nothing is measured by all the threads it had.
 *
 * <p>A scope that declares its work speaks for everything inside it. So that nothing counts twice,
 * sums are over the outermost of them, the {@link #speakers}.
 */
public final class Bounds {
  /** Of a profile when nothing is known about the machine. */
  public static final Bounds NONE =
      new Bounds(Ceilings.NONE, Profile.Calibration.NONE, Map.of(), List.of());

  private final Ceilings ceilings;
  private final Profile.Calibration cost;
  private final Map<Node, Bound> bounds;
  private final List<Node> speakers;
  private final Set<Node> speaking = identitySet();

  private Bounds(
      Ceilings ceilings, Profile.Calibration cost, Map<Node, Bound> bounds, List<Node> speakers) {
    this.ceilings = ceilings;
    this.cost = cost;
    this.bounds = bounds;
    this.speakers = List.copyOf(speakers);
    this.speaking.addAll(speakers);
  }

  /** The bounds of a profile's own tree. */
  public static Bounds of(Profile profile, CallTree tree, Ceilings ceilings) {
    if (!ceilings.isKnown()) return NONE;
    List<Node> nodes = tree.nodes();
    Set<Node> handOver = handOver(nodes);
    Map<Node, Double> widths = widths(nodes);
    Map<Node, Bound> bounds = new IdentityHashMap<>();
    List<Node> speakers = new ArrayList<>();
    Set<Node> spokenFor = identitySet();
    for (Node node : nodes) {
      boolean inside = spokenFor.contains(node.parent());
      if (inside) spokenFor.add(node);
      if (!node.declaresWork() || handOver.contains(node)) continue;
      Bound bound = measure(node, widths.get(node), ceilings);
      if (bound == null) continue;
      bounds.put(node, bound);
      if (inside) continue;
      speakers.add(node);
      spokenFor.add(node);
    }
    return new Bounds(ceilings, profile.calibration(), bounds, speakers);
  }

  /** Nodes with tasks below them that declare work. */
  private static Set<Node> handOver(List<Node> parentsFirst) {
    Set<Node> handOver = identitySet();
    for (Node node : parentsFirst.reversed()) {
      boolean declares = node.isTask() && node.declaresWork();
      if (declares || handOver.contains(node)) handOver.add(node.parent());
    }
    return handOver;
  }

  private static Set<Node> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private static Bound measure(Node node, double width, Ceilings ceilings) {
    double threads = threads(node);
    double nanos = node.correctedTotalNanos() - node.lentNanos();
    if (width > 1) {
      // Its tasks declare nothing: all threads at hand were there for its work.
      nanos = node.correctedTotalNanos() * width;
      threads = Math.max(threads, width);
    }
    if (!(nanos > 0)) return null;
    Work work = node.work();
    Map<Level, Double> memory = new EnumMap<>(Level.class);
    if (work.bytes() > 0) {
      for (Memory each : ceilings.memory()) {
        double rate = Math.min(each.one().read().typical(), each.all().read().typical() / threads);
        memory.put(each.level(), 1e9 * work.bytes() / rate);
      }
    }
    Map<Arithmetic, Double> compute = new EnumMap<>(Arithmetic.class);
    put(compute, work.flopsForm(), work.flops(), threads, ceilings);
    put(compute, work.opsForm(), work.ops(), threads, ceilings);
    if (memory.isEmpty()) {
      return compute.isEmpty()
          ? null
          : Bound.of(work, nanos, threads, memory, compute, null, Told.ASSUMED);
    }
    Reuse reuse = Reuse.of(node);
    Level assumed = reuse.level(ceilings);
    Level level = reuse.nearer(assumed, ceilings, memory, nanos);
    Told told = level == assumed ? Told.ASSUMED : Told.TIMED;
    return Bound.of(work, nanos, threads, memory, compute, level, told);
  }

  private static void put(
      Map<Arithmetic, Double> compute,
      Arithmetic kind,
      long operations,
      double threads,
      Ceilings ceilings) {
    Compute ceiling = ceilings.compute(kind).orElse(null);
    if (operations == 0 || ceiling == null) return;
    double rate = Math.min(ceiling.one().typical(), ceiling.all().typical() / threads);
    compute.put(kind, 1e9 * operations / rate);
  }

  /** Threads that worked at once where a node ran. */
  static double threads(Node node) {
    for (Node at = node; at.parent() != null; at = at.parent()) {
      if (at.isTask()) return at.parent().region() == null ? 1 : atOnce(at.parent().region());
    }
    return 1;
  }

  /** Of each node, the most threads that worked at once for something below it. */
  private static Map<Node, Double> widths(List<Node> parentsFirst) {
    Map<Node, Double> widths = new IdentityHashMap<>();
    for (Node node : parentsFirst.reversed()) {
      double own = node.region() == null ? 1 : atOnce(node.region());
      double width = widths.merge(node, own, Math::max);
      widths.merge(node.parent(), width, Math::max);
    }
    return widths;
  }

  private static double atOnce(Region region) {
    double threads = Double.isNaN(region.atOnce()) ? region.threads() : region.atOnce();
    return Math.max(1, threads);
  }

  /** The same for the tree in which numbered scopes and levels of a recursion are one. */
  public Bounds folded(Profile profile, CallTree from, CallTree to) {
    if (bounds.isEmpty() || from == to) return this;
    Map<Node, Node> places = new IdentityHashMap<>();
    for (int lane = 0; lane < profile.lanes().size(); lane++) {
      List<Node> here = from.places(lane);
      List<Node> there = to.places(lane);
      for (int i = 0; i < here.size(); i++) places.put(here.get(i), there.get(i));
    }
    Set<Node> speak = identitySet();
    for (Node node : from.nodes()) if (speaks(node)) speak.add(places.get(node));
    Map<Node, Bound> sums = new IdentityHashMap<>();
    // In the tree's order: sums of doubles depend on it.
    for (Node node : from.nodes()) {
      Bound bound = bounds.get(node);
      if (bound == null) continue;
      // In a recursion a place may speak on its way down that others speak for on the way back.
      boolean counts = speak.contains(places.get(node)) ? speaks(node) : !isInner(node, places);
      if (counts) sums.merge(places.get(node), bound, Bound::plus);
    }
    List<Node> outermost = to.nodes().stream().filter(speak::contains).toList();
    return new Bounds(ceilings, cost, sums, outermost);
  }

  /** Whether a call is inside of another at the same place: whoever speaks for that has told. */
  private static boolean isInner(Node node, Map<Node, Node> places) {
    Node place = places.get(node);
    for (Node at = node; !at.isTask() && at.parent().parent() != null; at = at.parent()) {
      if (places.get(at.parent()) == place) return true;
    }
    return false;
  }

  /** What bounds a scope; null when it declared nothing, or is too short to be measured. */
  public Bound of(Node node) {
    return node.belowFloor(cost) ? null : bounds.get(node);
  }

  /** What the machine can do. */
  public Ceilings ceilings() {
    return ceilings;
  }

  /** Whether anything is bounded. */
  public boolean isEmpty() {
    return bounds.isEmpty();
  }

  /** The scopes whose work counts in sums, parents first. */
  public List<Node> speakers() {
    return speakers;
  }

  /** Whether a scope's work counts in sums: no scope around it speaks for it. */
  public boolean speaks(Node node) {
    return speaking.contains(node);
  }

  /** All declared work below a node against all time below it, whoever spent it; null for none. */
  public Bound inside(Node node) {
    Bound sum = null;
    double nanos = 0;
    List<Node> stack = new ArrayList<>(List.of(node));
    while (!stack.isEmpty()) {
      Node at = stack.removeLast();
      nanos += at.correctedSelfNanos();
      if (speaks(at)) sum = sum == null ? bounds.get(at) : sum.plus(bounds.get(at));
      stack.addAll(at.children().reversed());
    }
    return sum == null || !(nanos > 0) ? null : sum.within(nanos);
  }

  /**
   * The least time in which this machine could have done what was declared below a node, each scope
   * on as many threads as it ran on; 0 when nothing was.
   */
  public double idealWallNanos(Node node) {
    Bound inside = inside(node);
    return inside == null ? 0 : inside.idealWallNanos();
  }
}
