package dev.ridgeline.profiler;

import java.util.ArrayList;
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
  private final Node root;
  private final List<List<Node>> places;

  CallTree(Node root, List<List<Node>> places) {
    this.root = root;
    this.places = places;
  }

  /** Merges the lanes of a profile. */
  public static CallTree of(Profile profile) {
    return new TreeMerger(profile, UnaryOperator.identity(), TreeMerger.By.PLACE).tree();
  }

  /**
   * The same as tables show it: families of numbered scopes are one ({@code layer 0} to {@code
   * layer 5} become {@code layer 0–5}), and so are all levels of a recursion. This tree itself when
   * there is neither.
   */
  public CallTree folded(Profile profile) {
    NumberedFamilies families = NumberedFamilies.of(this);
    TreeMerger folding = new TreeMerger(profile, families::fold, TreeMerger.By.FOLDED_PLACE);
    return families.isEmpty() && !folding.recursive() ? this : folding.tree();
  }

  /** The same with families of numbered scopes as one; this tree itself when there are none. */
  public CallTree withoutNumbers(Profile profile) {
    NumberedFamilies families = NumberedFamilies.of(this);
    if (families.isEmpty()) return this;
    return new TreeMerger(profile, families::fold, TreeMerger.By.PLACE).tree();
  }

  /** The same with all levels of a recursion as one; this tree itself when there is none. */
  public CallTree withoutRecursion(Profile profile) {
    UnaryOperator<String> names = UnaryOperator.identity();
    TreeMerger folding = new TreeMerger(profile, names, TreeMerger.By.FOLDED_PLACE);
    return folding.recursive() ? folding.tree() : this;
  }

  /** All places of a name as one, right under the root; tasks and scopes of a name are the same. */
  public static CallTree byName(Profile profile) {
    return new TreeMerger(profile, UnaryOperator.identity(), TreeMerger.By.NAME).tree();
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
    TreeMerger.Inner around = TreeMerger.Inner.NOT;
    private int recursion = 1;
    private long totalNanos;
    private long callNanos;
    private long selfNanos;
    long lentNanos;
    private long threadNanos;
    private Profile.Waiting waiting = Profile.Waiting.NONE;
    private long threadWaitingNanos;
    private double correctedTotalNanos;
    private double correctedCallNanos;
    private double correctedSelfNanos;
    private double correctedThreadNanos;
    private long minNanos = Long.MAX_VALUE;
    private long maxNanos;
    private Histogram histogram = Histogram.EMPTY;
    private boolean allocationKnown = true;
    private long allocatedBytes;
    private long selfAllocatedBytes;
    private Profile.Work declared = Profile.Work.NONE;
    private Profile.Work work = Profile.Work.NONE;
    private long deviceCalls;
    private long deviceSelfNanos;
    private long deviceNanos;
    private Profile.Work deviceWork = Profile.Work.NONE;
    private long threads;
    private long laneThreads;
    private Profile.FanOut fanOut = Profile.FanOut.NONE;
    private Region region;

    Node(Node parent, String name, boolean task) {
      this.parent = parent;
      this.name = name;
      this.task = task;
    }

    Node child(String childName, boolean childTask) {
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
    Node openAs(String childName) {
      for (Node at = this; at.parent != null; at = at.parent) {
        if (at.task) return null;
        if (at.name.equals(childName)) return at;
      }
      return null;
    }

    void add(Profile.Node node, double correction, double selfCorrection, TreeMerger.Inner inner) {
      Profile.Time time = node.time();
      calls += time.calls();
      open += time.open();
      recursion = Math.max(recursion, inner.level() + 1);
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
      if (!inner.workSaid()) declared = declared.plus(node.work());
      // What is inside of a call is inside of those around it.
      if (inner.level() == 0) addOutermost(node, correction);
    }

    private void addOutermost(Profile.Node node, double correction) {
      totalNanos += node.time().totalNanos();
      correctedTotalNanos += node.time().totalNanos() - correction;
      if (node.allocation().known()) allocatedBytes += node.allocation().totalBytes();
      fanOut = fanOut.plus(node.fanOut());
      // A thread that helps meets the same task at several places of its own tree.
      laneThreads = Math.max(laneThreads, node.fanOut().threads());
    }

    void addDevice(Profile.Node operation) {
      deviceCalls += operation.time().calls();
      deviceSelfNanos += operation.time().totalNanos();
      deviceWork = deviceWork.plus(operation.work());
    }

    void endLane() {
      threads += laneThreads;
      laneThreads = 0;
    }

    /** Sums up from the leaves, with a stack of its own for the sake of deep trees. */
    void finish() {
      List<Node> order = new ArrayList<>();
      order.add(this);
      for (int i = 0; i < order.size(); i++) order.addAll(order.get(i).children);
      for (Node node : order.reversed()) node.sumUp();
    }

    private void sumUp() {
      byName = null;
      threadNanos = selfNanos;
      correctedThreadNanos = correctedSelfNanos;
      threadWaitingNanos = waiting.nanos();
      deviceNanos = deviceSelfNanos;
      Profile.Work inside = Profile.Work.NONE;
      long busy = 0;
      long tasks = 0;
      long taskThreads = 0;
      boolean hasTasks = false;
      for (Node child : children) {
        threadNanos += child.threadNanos;
        correctedThreadNanos += child.correctedThreadNanos;
        threadWaitingNanos += child.threadWaitingNanos;
        deviceNanos += child.deviceNanos;
        deviceWork = deviceWork.plus(child.deviceWork);
        inside = inside.plus(child.work);
        if (child.task) {
          hasTasks = true;
          busy += child.totalNanos;
          tasks += child.calls + child.open;
          taskThreads = Math.max(taskThreads, child.threads);
        }
      }
      // A scope that declares its work speaks for everything inside it.
      work = declaresWork() ? declared : inside;
      if (hasTasks) {
        boolean ended = fanOut.wallNanos() > 0;
        double wall = ended ? fanOut.wallNanos() : Double.NaN;
        region =
            new Region(
                ended ? fanOut.wallNanos() : totalNanos,
                busy,
                taskThreads,
                fanOut.offeredNanos() / wall,
                tasks,
                fanOut.unevenNanos() / wall,
                fanOut.usedNanos(),
                ended ? fanOut.maxNanos() : busy / Math.max(1, taskThreads));
      }
      if (parent == null) {
        totalNanos = threadNanos;
        correctedTotalNanos = correctedThreadNanos;
        for (Node child : children) {
          allocationKnown &= child.allocationKnown;
          allocatedBytes += child.allocatedBytes;
        }
      }
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

    /** {@link #threadNanos} less the recorder's own cost. */
    public double correctedThreadNanos() {
      return correctedThreadNanos;
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
      return declared.declared();
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
}
