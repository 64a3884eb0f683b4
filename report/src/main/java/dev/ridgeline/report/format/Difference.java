package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Two trees laid over each other, place by place: what was before, what is after, what is in only
 * one of them.
 *
 * <p>Runs differ in length, so places are compared by their share of all time, or of all bytes, in
 * their own tree. Self shares add up to 1 on either side, and their changes to 0.
 */
public final class Difference {
  private final Measure measure;
  private final double allBefore;
  private final double allAfter;
  private final Node root;

  private Difference(CallTree before, CallTree after, Measure measure) {
    this.measure = measure;
    allBefore = all(before, measure);
    allAfter = all(after, measure);
    root = new Node(this, null, before.root(), after.root());
    List<Node> open = new ArrayList<>(List.of(root));
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      node.pair();
      open.addAll(node.children);
    }
  }

  private static double all(CallTree tree, Measure measure) {
    double sum = 0;
    for (CallTree.Node node : tree.nodes()) sum += measure.self(node);
    return sum;
  }

  /** Compares the times of two trees; scopes and tasks at the same place are the same. */
  public static Difference of(CallTree before, CallTree after) {
    return of(before, after, Measure.TIME);
  }

  /** The same for any measure. */
  public static Difference of(CallTree before, CallTree after, Measure measure) {
    return new Difference(before, after, measure);
  }

  /** What is compared. */
  Measure measure() {
    return measure;
  }

  /** All of it before. */
  double allBefore() {
    return allBefore;
  }

  /** All of it after. */
  double allAfter() {
    return allAfter;
  }

  /** The root: no place itself, its children are the outermost scopes. */
  public Node root() {
    return root;
  }

  /** Whether any place is in both trees; else there is nothing to compare. */
  public boolean hasCommonPlace() {
    return root.children.stream().anyMatch(top -> top.presence() == Presence.BOTH);
  }

  /** Visits every place but the root, parents first. */
  public void forEach(Consumer<Node> visitor) {
    List<Node> stack = new ArrayList<>(root.children.reversed());
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      visitor.accept(node);
      stack.addAll(node.children.reversed());
    }
  }

  /** In which of the trees a place is. */
  public enum Presence {
    BOTH,
    ONLY_BEFORE,
    ONLY_AFTER
  }

  private record Step(String name, boolean task) {
    static Step to(CallTree.Node node) {
      return new Step(node.name(), node.isTask());
    }
  }

  /** A place in either tree or in both. */
  public static final class Node {
    private final Difference all;
    private final Node parent;
    private final CallTree.Node before;
    private final CallTree.Node after;
    private final List<Node> children = new ArrayList<>();

    private Node(Difference all, Node parent, CallTree.Node before, CallTree.Node after) {
      this.all = all;
      this.parent = parent;
      this.before = before;
      this.after = after;
    }

    /** Those after come in their order, then those that are gone. */
    private void pair() {
      Map<Step, CallTree.Node> gone = new HashMap<>();
      if (before != null) before.children().forEach(child -> gone.put(Step.to(child), child));
      if (after != null) {
        for (CallTree.Node child : after.children()) {
          children.add(new Node(all, this, gone.remove(Step.to(child)), child));
        }
      }
      if (before == null) return;
      for (CallTree.Node child : before.children()) {
        if (gone.containsKey(Step.to(child))) children.add(new Node(all, this, child, null));
      }
    }

    public String name() {
      return either().name();
    }

    /** Whether this ran as a task handed over by its parent. */
    public boolean isTask() {
      return either().isTask();
    }

    /** The place above, null at the root. */
    public Node parent() {
      return parent;
    }

    public List<Node> children() {
      return Collections.unmodifiableList(children);
    }

    /** The place in the tree before, or null. */
    public CallTree.Node before() {
      return before;
    }

    /** The place in the tree after, or null. */
    public CallTree.Node after() {
      return after;
    }

    public Presence presence() {
      if (before == null) return Presence.ONLY_AFTER;
      return after == null ? Presence.ONLY_BEFORE : Presence.BOTH;
    }

    /** Its own as a share of all before, 0 where it is not. */
    public double selfShareBefore() {
      return before == null ? 0 : share(all.measure.self(before), all.allBefore);
    }

    /** Its own as a share of all after, 0 where it is not. */
    public double selfShareAfter() {
      return after == null ? 0 : share(all.measure.self(after), all.allAfter);
    }

    /** By how much its share of all has grown; negative where it has shrunk. */
    public double selfShareChange() {
      return selfShareAfter() - selfShareBefore();
    }

    private CallTree.Node either() {
      return after == null ? before : after;
    }

    private static double share(long own, double all) {
      return all == 0 ? 0 : own / all;
    }
  }
}
