package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bounds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the rules look at.
 *
 * @param profile the measurement
 * @param tree its merged tree
 * @param inside what samples saw, by node
 * @param heldBy who held the locks that a node waited for, the longest first
 * @param bounds how far nodes are from what the machine allows
 * @param proof the command that compares a changed program with this one; empty when not known
 */
record Evidence(
    Profile profile,
    CallTree tree,
    Map<Node, Inside> inside,
    Map<Node, List<Holder>> heldBy,
    Bounds bounds,
    String proof) {
  private static final int NAME_WIDTH = 60;

  static Evidence of(Profile profile, CallTree tree, Bounds bounds, String proof) {
    return new Evidence(
        profile, tree, Inside.of(profile, tree), Holder.of(profile, tree), bounds, proof);
  }

  /** Corrected time inside scopes, summed over threads. */
  double threadNanos() {
    return tree.root().correctedTotalNanos();
  }

  /** The part of it that was not waiting. */
  double runningNanos() {
    return threadNanos() - tree.root().threadWaitingNanos();
  }

  Stream<Node> nodes() {
    return tree.nodes().stream();
  }

  /** Whether any scope was seen waiting. */
  boolean someWait() {
    return runningNanos() < threadNanos();
  }

  /** Part of the running time. */
  double runningShare(Node node) {
    return runningNanos() > 0 ? node.correctedRunningNanos() / runningNanos() : 0;
  }

  /** Whether most of a scope's own time was waiting: how long it takes is then up to others. */
  static boolean mostlyWaits(Node node) {
    return 2 * node.waiting().nanos() >= node.selfNanos();
  }

  /** Part of the thread time. */
  double share(double nanos) {
    return threadNanos() > 0 ? nanos / threadNanos() : 0;
  }

  /** Part of the time that the session took. */
  double ofWall(double nanos) {
    return profile.wallNanos() > 0 ? nanos / profile.wallNanos() : 0;
  }

  /**
   * Whether a place mostly waits for tasks that it handed over, so that its self time is no work.
   * One whose thread took part in them was not waiting then, nor in its inner scopes.
   */
  static boolean waits(Node node) {
    if (!tasksCover(node)) return false;
    if (!tookPart(node)) return true;
    long elsewhere = node.totalNanos() - node.selfNanos();
    return 2 * (node.region().busiestNanos() - elsewhere) >= node.selfNanos();
  }

  /** Whether a place handed tasks over and did some of them, so that its self time is between. */
  static boolean handsOver(Node node) {
    return node.region() != null
        && tookPart(node)
        && !waits(node)
        && node.region().busyNanos() >= node.region().wallNanos() / 100;
  }

  /** Whether the tasks of a place took so long that they are what its time is about. */
  static boolean tasksCover(Node node) {
    return node.region() != null && 2 * node.region().busiestNanos() >= node.selfNanos();
  }

  private static boolean tookPart(Node node) {
    return node.lentNanos() > 0;
  }

  static String name(Node node) {
    return PathLabels.fit(node, NAME_WIDTH);
  }

  /** {@code ~90.0 ms (4.1 % of thread time)}. */
  String win(double nanos) {
    return "~" + Quantity.time(nanos) + " (" + Quantity.percent(share(nanos)) + " of thread time)";
  }

  /** Time in garbage collections; 0 when not told. */
  double gcNanos() {
    return profile.system().collectors().stream().mapToLong(c -> Math.max(0, c.millis())).sum()
        * 1e6;
  }

  /** Heap bytes allocated in all scopes that tell. */
  double allocatedBytes() {
    return nodes().mapToDouble(node -> Math.max(0, node.selfAllocatedBytes())).sum();
  }
}
