package dev.ridgeline.profiler;

import dev.ridgeline.profiler.Profile.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * All threads of a profile as one tree: scopes at the same place are added up, and tasks stand
 * under the place that handed them over, marked as such.
 *
 * <p>Self times add up: the sum over all nodes is exactly {@link Profile#threadNanos()}, raw and
 * corrected alike. Time of devices is apart from that of threads, under the same places, and adds
 * up to {@link Profile#deviceNanos()}.
 */
public final class CallTree {
  private final Node root = new Node(null, "all threads", false);
  private final List<List<Node>> places = new ArrayList<>();

  /** What a scope of this name is called in this tree. */
  private final UnaryOperator<String> naming;

  /** Whether a scope that is open already is the same place, however deep it calls itself. */
  private final boolean foldsRecursion;

  private boolean recursive;

  private CallTree(UnaryOperator<String> naming, boolean foldsRecursion) {
    this.naming = naming;
    this.foldsRecursion = foldsRecursion;
  }

  /** Merges the lanes of a profile. */
  public static CallTree of(Profile profile) {
    return of(profile, UnaryOperator.identity(), false);
  }

  /**
   * The same as tables show it: families of numbered scopes are one ({@code layer 0} to {@code
   * layer 5} become {@code layer 0–5}), and so are all levels of a recursion. This tree itself when
   * there is neither.
   */
  public CallTree folded(Profile profile) {
    NumberedFamilies families = NumberedFamilies.of(this);
    CallTree folded = of(profile, families::fold, true);
    return families.isEmpty() && !folded.recursive ? this : folded;
  }

  /** The same with families of numbered scopes as one; this tree itself when there are none. */
  public CallTree withoutNumbers(Profile profile) {
    NumberedFamilies families = NumberedFamilies.of(this);
    return families.isEmpty() ? this : of(profile, families::fold, false);
  }

  /** The same with all levels of a recursion as one; this tree itself when there is none. */
  public CallTree withoutRecursion(Profile profile) {
    CallTree folded = of(profile, UnaryOperator.identity(), true);
    return folded.recursive ? folded : this;
  }

  private static CallTree of(
      Profile profile, UnaryOperator<String> naming, boolean foldsRecursion) {
    CallTree tree = new CallTree(naming, foldsRecursion);
    List<Node> origins = new ArrayList<>(profile.paths().size());
    for (Profile.Path path : profile.paths()) {
      Node parent = path.parent() < 0 ? tree.root : origins.get(path.parent());
      origins.add(parent.child(naming.apply(path.name()), path.task()));
    }
    for (Lane lane : profile.lanes()) tree.add(lane, origins, profile.calibration());
    for (Profile.Device device : profile.devices()) tree.add(device, origins);
    tree.root.finish();
    return tree;
  }

  private void add(Lane lane, List<Node> origins, Profile.Calibration cost) {
    List<Profile.Node> nodes = lane.nodes();
    Node[] merged = new Node[nodes.size()];
    double[] correction = new double[nodes.size()];
    double[] selfCorrection = new double[nodes.size()];
    for (int i = 0; i < nodes.size(); i++) {
      Profile.Node node = nodes.get(i);
      Node parent =
          switch (node.origin()) {
            case Profile.Node.SCOPE -> node.parent() < 0 ? root : merged[node.parent()];
            case Profile.Node.OUTSIDE -> root;
            default -> origins.get(node.origin());
          };
      String name = naming.apply(node.name());
      Node open = foldsRecursion && !node.isTask() ? parent.openAs(name) : null;
      merged[i] = open == null ? parent.child(name, node.isTask()) : open;
      recursive |= open != null;
      if (node.isTask() && node.parent() >= 0) {
        merged[node.parent()].lentNanos += node.time().totalNanos();
      }
    }
    Inner[] inner = foldsRecursion ? Inner.of(nodes, merged) : null;
    // Children stand behind their parents: from the back, a child is complete before its parent.
    for (int i = nodes.size() - 1; i >= 0; i--) {
      Profile.Node node = nodes.get(i);
      long begun = node.time().calls() + node.time().open();
      double inside = node.time().calls() * cost.innerNanos();
      correction[i] += inside;
      selfCorrection[i] += inside;
      if (node.parent() >= 0) {
        correction[node.parent()] += correction[i] + begun * cost.outerNanos();
        selfCorrection[node.parent()] += begun * cost.outerNanos();
      }
      merged[i].add(node, correction[i], selfCorrection[i], inner == null ? Inner.NOT : inner[i]);
    }
    for (Node node : merged) node.endLane();
    places.add(Collections.unmodifiableList(Arrays.asList(merged)));
  }

  private void add(Profile.Device device, List<Node> origins) {
    List<Node> asked = new ArrayList<>();
    for (Profile.Node operation : device.operations()) {
      Node place = origins.get(operation.origin());
      place.addDevice(operation);
      asked.add(place);
    }
    places.add(Collections.unmodifiableList(asked));
  }

  /**
   * How far inside of its own recursion a call is.
   *
   * @param level calls of the same place around it, on its thread
   * @param workSaid whether one of those has declared the work of everything inside
   */
  private record Inner(int level, boolean workSaid) {
    static final Inner NOT = new Inner(0, false);

    /** Of each node of a lane, with a stack of its own for the sake of deep trees. */
    static Inner[] of(List<Profile.Node> nodes, Node[] merged) {
      int size = nodes.size();
      int[] firstChild = new int[size + 1];
      int[] next = new int[size];
      Arrays.fill(firstChild, -1);
      for (int i = size - 1; i >= 0; i--) {
        // A task begins another story, whatever its thread was in the middle of.
        int parent = nodes.get(i).isTask() ? -1 : nodes.get(i).parent();
        next[i] = firstChild[parent + 1];
        firstChild[parent + 1] = i;
      }
      Inner[] inner = new Inner[size];
      Inner[] before = new Inner[size];
      int[] path = new int[size];
      int depth = 0;
      int at = firstChild[0];
      while (at >= 0 || depth > 0) {
        if (at < 0) {
          int left = path[--depth];
          merged[left].around = before[left];
          at = next[left];
          continue;
        }
        Node place = merged[at];
        before[at] = place.around;
        inner[at] = place.around;
        boolean said = place.around.workSaid || nodes.get(at).work().declared();
        place.around = new Inner(place.around.level + 1, said);
        path[depth++] = at;
        at = firstChild[at + 1];
      }
      return inner;
    }
  }

  /** The root: no scope itself, its children are the outermost scopes of all threads. */
  public Node root() {
    return root;
  }

  /**
   * Where each node of a lane stands in this tree; lanes are counted as in {@link
   * Profile#timeline}.
   */
  public List<Node> places(int lane) {
    return places.get(lane);
  }

  /** The node at a path of names from the top, or null. A task is found by its name, too. */
  public Node find(String... path) {
    Node node = root;
    for (String name : path) {
      Node next = null;
      for (Node child : node.children) if (child.name.equals(name)) next = child;
      if (next == null) return null;
      node = next;
    }
    return node;
  }

  /** Every node but the root, parents first. */
  public List<Node> nodes() {
    List<Node> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }

  /** Visits every node but the root, parents first. */
  public void forEach(Consumer<Node> visitor) {
    // A stack of our own: a profile of deep recursion must not overflow the reader's.
    List<Node> stack = new ArrayList<>(root.children.reversed());
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      visitor.accept(node);
      stack.addAll(node.children.reversed());
    }
  }

  /** The {@code n} nodes with the largest value of a column, largest first. */
  public List<Node> top(int n, ToDoubleFunction<Node> column) {
    return nodes().stream().sorted(Comparator.comparingDouble(column).reversed()).limit(n).toList();
  }

  /** A scope at one place, over all threads. */
  public static final class Node {
    private final Node parent;
    private final String name;
    private final boolean task;
    private final List<Node> children = new ArrayList<>();
    private Map<String, Node> byName = new LinkedHashMap<>();
    private long calls;
    private long open;
    private Inner around = Inner.NOT;
    private int recursion = 1;
    private long totalNanos;
    private long callNanos;
    private long selfNanos;
    private long lentNanos;
    private long threadNanos;
    private Profile.Waiting waiting = Profile.Waiting.NONE;
    private long threadWaitingNanos;
    private double correctedTotalNanos;
    private double correctedCallNanos;
    private double correctedSelfNanos;
    private long minNanos = Long.MAX_VALUE;
    private long maxNanos;
    private Histogram histogram = Histogram.EMPTY;
    private boolean allocationKnown = true;
    private long allocatedBytes;
    private long selfAllocatedBytes;
    private long declaredBytes;
    private long declaredFlops;
    private long declaredOps;
    private Arithmetic declaredForm = Arithmetic.F32;
    private Profile.Work work = Profile.Work.NONE;
    private long deviceCalls;
    private long deviceSelfNanos;
    private long deviceNanos;
    private Profile.Work deviceWork = Profile.Work.NONE;
    private long regions;
    private long threads;
    private long laneThreads;
    private long fanWallNanos;
    private long fanOfferedNanos;
    private long fanUsedNanos;
    private long fanMaxNanos;
    private long fanUnevenNanos;
    private Region region;

    private Node(Node parent, String name, boolean task) {
      this.parent = parent;
      this.name = name;
      this.task = task;
    }

    private Node child(String childName, boolean childTask) {
      // A task and a scope of the same name are two things.
      String key = childTask ? childName + "\0task" : childName;
      Node child = byName.get(key);
      if (child == null) {
        child = new Node(this, childName, childTask);
        byName.put(key, child);
        children.add(child);
      }
      return child;
    }

    /** The scope of this name that is open here: this one, or one around it on the same thread. */
    private Node openAs(String childName) {
      for (Node at = this; at.parent != null; at = at.parent) {
        if (at.task) return null;
        if (at.name.equals(childName)) return at;
      }
      return null;
    }

    private void add(Profile.Node node, double correction, double selfCorrection, Inner inner) {
      Profile.Time time = node.time();
      calls += time.calls();
      open += time.open();
      recursion = Math.max(recursion, inner.level + 1);
      callNanos += time.totalNanos();
      selfNanos += time.selfNanos();
      waiting = waiting.plus(node.waiting());
      correctedCallNanos += time.totalNanos() - correction;
      correctedSelfNanos += time.selfNanos() - selfCorrection;
      if (time.calls() > 0) {
        minNanos = Math.min(minNanos, time.minNanos());
        maxNanos = Math.max(maxNanos, time.maxNanos());
      }
      histogram = histogram.plus(time.histogram());
      allocationKnown &= node.allocation().known();
      if (node.allocation().known()) selfAllocatedBytes += node.allocation().selfBytes();
      if (!inner.workSaid) addWork(node.work());
      // What is inside of a call is inside of those around it.
      if (inner.level == 0) addOutermost(node, correction);
    }

    private void addWork(Profile.Work declared) {
      declaredBytes += declared.bytes();
      declaredFlops += declared.flops();
      declaredOps += declared.ops();
      if (declared.form() != Arithmetic.F32) declaredForm = declared.form();
    }

    private void addOutermost(Profile.Node node, double correction) {
      totalNanos += node.time().totalNanos();
      correctedTotalNanos += node.time().totalNanos() - correction;
      if (node.allocation().known()) allocatedBytes += node.allocation().totalBytes();
      regions += node.fanOut().regions();
      // A thread that helps meets the same task at several places of its own tree.
      laneThreads = Math.max(laneThreads, node.fanOut().threads());
      fanWallNanos += node.fanOut().wallNanos();
      fanOfferedNanos += node.fanOut().offeredNanos();
      fanUsedNanos += node.fanOut().usedNanos();
      fanMaxNanos += node.fanOut().maxNanos();
      fanUnevenNanos += node.fanOut().unevenNanos();
    }

    private void addDevice(Profile.Node operation) {
      deviceCalls += operation.time().calls();
      deviceSelfNanos += operation.time().totalNanos();
      deviceWork = deviceWork.plus(operation.work());
    }

    private void endLane() {
      threads += laneThreads;
      laneThreads = 0;
    }

    /** Sums up from the leaves, with a stack of its own for the sake of deep trees. */
    private void finish() {
      List<Node> order = new ArrayList<>();
      order.add(this);
      for (int i = 0; i < order.size(); i++) order.addAll(order.get(i).children);
      for (Node node : order.reversed()) node.sumUp();
    }

    private void sumUp() {
      byName = null;
      threadNanos = selfNanos;
      threadWaitingNanos = waiting.nanos();
      deviceNanos = deviceSelfNanos;
      long bytes = 0;
      long flops = 0;
      long ops = 0;
      Arithmetic form = Arithmetic.F32;
      long busy = 0;
      long tasks = 0;
      long taskThreads = 0;
      boolean hasTasks = false;
      for (Node child : children) {
        threadNanos += child.threadNanos;
        threadWaitingNanos += child.threadWaitingNanos;
        deviceNanos += child.deviceNanos;
        deviceWork = deviceWork.plus(child.deviceWork);
        bytes += child.work.bytes();
        flops += child.work.flops();
        ops += child.work.ops();
        if (child.work.form() != Arithmetic.F32) form = child.work.form();
        if (child.task) {
          hasTasks = true;
          busy += child.totalNanos;
          tasks += child.calls + child.open;
          taskThreads = Math.max(taskThreads, child.threads);
        }
      }
      // A scope that declares its work speaks for everything inside it.
      work =
          declaresWork()
              ? new Profile.Work(declaredBytes, declaredFlops, declaredOps, declaredForm)
              : new Profile.Work(bytes, flops, ops, form);
      if (hasTasks) {
        boolean ended = fanWallNanos > 0;
        region =
            new Region(
                ended ? fanWallNanos : totalNanos,
                busy,
                taskThreads,
                ended ? (double) fanOfferedNanos / fanWallNanos : Double.NaN,
                tasks,
                ended ? (double) fanUnevenNanos / fanWallNanos : Double.NaN,
                fanUsedNanos,
                ended ? fanMaxNanos : busy / Math.max(1, taskThreads));
      }
      if (parent == null) {
        totalNanos = threadNanos;
        for (Node child : children) {
          correctedTotalNanos += child.correctedThreadNanos();
          allocationKnown &= child.allocationKnown;
          allocatedBytes += child.allocatedBytes;
        }
      }
    }

    private double correctedThreadNanos() {
      double sum = 0;
      List<Node> stack = new ArrayList<>(List.of(this));
      while (!stack.isEmpty()) {
        Node node = stack.removeLast();
        sum += node.correctedSelfNanos;
        stack.addAll(node.children);
      }
      return sum;
    }

    public String name() {
      return name;
    }

    /** The node above, null at the root. */
    public Node parent() {
      return parent;
    }

    /** Scopes inside this one, and tasks handed over from here. */
    public List<Node> children() {
      return Collections.unmodifiableList(children);
    }

    /** Whether this ran as a task handed over by its parent, usually on another thread. */
    public boolean isTask() {
      return task;
    }

    /** Distance from the root, which has 0. */
    public int depth() {
      int depth = 0;
      for (Node node = parent; node != null; node = node.parent) depth++;
      return depth;
    }

    /** Names from the top to this node. */
    public List<String> path() {
      List<String> path = new ArrayList<>();
      for (Node node = this; node.parent != null; node = node.parent) path.add(node.name);
      return path.reversed();
    }

    /** Finished calls. */
    public long calls() {
      return calls;
    }

    /** Calls still open when the profile was taken. */
    public long open() {
      return open;
    }

    /** How many calls of this scope were open on a thread at once, at most: 1 without recursion. */
    public int recursion() {
      return recursion;
    }

    /**
     * Raw time inside the scope on its own threads; tasks handed to others are not in it. In a
     * folded recursion, that of the outermost calls.
     */
    public long totalNanos() {
      return totalNanos;
    }

    /** Raw time on its own threads outside of every inner scope and task. */
    public long selfNanos() {
      return selfNanos;
    }

    /** Raw time inside this scope during which its thread ran tasks handed over elsewhere. */
    public long lentNanos() {
      return lentNanos;
    }

    /** Raw self times of this node and everything below it, over all threads. */
    public long threadNanos() {
      return threadNanos;
    }

    /** The part of {@link #selfNanos} in which its threads waited. */
    public Profile.Waiting waiting() {
      return waiting;
    }

    /** {@link #waiting} of this node and everything below it, over all threads. */
    public long threadWaitingNanos() {
      return threadWaitingNanos;
    }

    /** {@link #correctedSelfNanos} less {@link #waiting}. */
    public double correctedRunningNanos() {
      return correctedSelfNanos - waiting.nanos();
    }

    /** {@link #totalNanos} less the recorder's own cost; can be negative when it is all cost. */
    public double correctedTotalNanos() {
      return correctedTotalNanos;
    }

    /** {@link #selfNanos} less the recorder's own cost; can be negative when it is all cost. */
    public double correctedSelfNanos() {
      return correctedSelfNanos;
    }

    /** Mean raw duration of a call. */
    public double averageNanos() {
      return calls + open == 0 ? 0 : (double) callNanos / (calls + open);
    }

    /** {@link #averageNanos} less the recorder's own cost. */
    public double correctedAverageNanos() {
      return calls + open == 0 ? 0 : correctedCallNanos / (calls + open);
    }

    public long minNanos() {
      return calls == 0 ? 0 : minNanos;
    }

    public long maxNanos() {
      return maxNanos;
    }

    /** Raw duration that the given fraction of finished calls does not exceed. */
    public long percentileNanos(double quantile) {
      return Math.clamp(histogram.percentile(quantile), minNanos(), Math.max(minNanos(), maxNanos));
    }

    public Histogram histogram() {
      return histogram;
    }

    /** Heap bytes allocated inside, or {@link Profile#UNKNOWN} when any part is unknown. */
    public long allocatedBytes() {
      return allocationKnown ? allocatedBytes : Profile.UNKNOWN;
    }

    /** Heap bytes allocated outside of inner scopes, or {@link Profile#UNKNOWN}. */
    public long selfAllocatedBytes() {
      return allocationKnown ? selfAllocatedBytes : Profile.UNKNOWN;
    }

    /** Declared work: its own declaration where there is one, else the sum of what is below. */
    public Profile.Work work() {
      return work;
    }

    /** Whether {@link #work} is its own declaration. */
    public boolean declaresWork() {
      return declaredBytes != 0 || declaredFlops != 0 || declaredOps != 0;
    }

    /** Declared bytes per second of total time, in GB/s; 0 when none were declared. */
    public double gigabytesPerSecond() {
      return totalNanos == 0 ? 0 : (double) work.bytes() / totalNanos;
    }

    /** Declared FLOPs per second of total time, in GFLOP/s; 0 when none were declared. */
    public double gigaflopsPerSecond() {
      return totalNanos == 0 ? 0 : (double) work.flops() / totalNanos;
    }

    /**
     * Declared integer operations per second of total time, in GOP/s; 0 when none were declared.
     */
    public double gigaopsPerSecond() {
      return totalNanos == 0 ? 0 : (double) work.ops() / totalNanos;
    }

    /** Operations that devices have completed for this scope itself. */
    public long deviceCalls() {
      return deviceCalls;
    }

    /** Time of {@link #deviceCalls}, by the clocks of the devices. */
    public long deviceSelfNanos() {
      return deviceSelfNanos;
    }

    /** {@link #deviceSelfNanos} of this node and everything below it. */
    public long deviceNanos() {
      return deviceNanos;
    }

    /** Work that devices have done for this node and everything below it; not in {@link #work}. */
    public Profile.Work deviceWork() {
      return deviceWork;
    }

    /** What the tasks handed over from here did, or null when none were. */
    public Region region() {
      return region;
    }

    /** Whether calls are so short that the recorder's own cost is most of what was measured. */
    public boolean belowFloor(Profile.Calibration cost) {
      return calls > 0 && averageNanos() - cost.innerNanos() < cost.scopeNanos();
    }

    @Override
    public String toString() {
      return String.join(" › ", path()) + " [" + calls + " calls, " + totalNanos + " ns]";
    }
  }

  /**
   * A parallel region: a place that handed tasks to threads.
   *
   * @param wallNanos time inside those calls of the place that had tasks; inside all of them while
   *     no such call has ended
   * @param busyNanos time inside its tasks, summed over threads
   * @param threads threads that ever ran its tasks
   * @param atOnce threads that were at hand at once, the mean over wall time; NaN when no call that
   *     had tasks has ended
   * @param tasks tasks begun
   * @param imbalance busiest thread over mean thread, by call of the place, the mean over wall
   *     time: from 1 to {@code atOnce}; NaN as that is
   * @param usedNanos {@code busyNanos} without what went on when a call of the place had ended
   * @param busiestNanos as long as the busiest thread worked, by call of the place
   */
  public record Region(
      long wallNanos,
      long busyNanos,
      long threads,
      double atOnce,
      long tasks,
      double imbalance,
      long usedNanos,
      long busiestNanos) {

    /**
     * Part of the time of the threads at hand that was work: at most 1, NaN when their number is
     * unknown.
     */
    public double use() {
      return usedNanos / (wallNanos * atOnce);
    }

    /** How long the busiest thread worked on where evenly spread work had ended. */
    public double unevenNanos() {
      return Math.max(0, busiestNanos - usedNanos / atOnce);
    }

    /** How long not even the busiest thread worked. */
    public double idleNanos() {
      return wallNanos - busiestNanos;
    }
  }
}
