package dev.ridgeline.profiler;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Adds the lanes and devices of a profile up to one tree, and subtracts the recorder's own cost on
 * the way.
 */
final class TreeMerger {
  /** Which scopes are added up to one node. */
  enum By {
    /** Those at the same place. */
    PLACE,
    /** The same, and all levels of a recursion. */
    FOLDED_PLACE,
    /** Those of the same name, wherever they are. */
    NAME
  }

  private final Node root = new Node(null, "all threads", false);
  private final List<List<Node>> places = new ArrayList<>();

  /** What a scope of this name is called in the tree. */
  private final UnaryOperator<String> naming;

  private final By by;
  private final List<Node> origins = new ArrayList<>();
  private boolean recursive;

  TreeMerger(Profile profile, UnaryOperator<String> naming, By by) {
    this.naming = naming;
    this.by = by;
    for (Profile.Path path : profile.paths()) {
      Node parent = path.parent() < 0 ? root : origins.get(path.parent());
      origins.add(child(parent, naming.apply(path.name()), path.task()));
    }
    for (Profile.Lane lane : profile.lanes()) add(lane, profile.calibration());
    for (Profile.Device device : profile.devices()) add(device);
    root.finish();
  }

  CallTree tree() {
    return new CallTree(root, places);
  }

  /** Whether a scope was open already, on the same thread, where it was called again. */
  boolean recursive() {
    return recursive;
  }

  private Node child(Node parent, String name, boolean task) {
    return by == By.NAME ? root.child(name, false) : parent.child(name, task);
  }

  private void add(Profile.Lane lane, Profile.Calibration cost) {
    List<Profile.Node> nodes = lane.nodes();
    Node[] merged = new Node[nodes.size()];
    for (int i = 0; i < merged.length; i++) {
      Profile.Node node = nodes.get(i);
      merged[i] = place(node, merged);
      if (node.isTask() && node.parent() >= 0) {
        merged[node.parent()].lentNanos += node.time().totalNanos();
      }
    }
    Inner[] inner = by == By.PLACE ? null : Inner.of(nodes, merged);
    double[] correction = new double[merged.length];
    double[] selfCorrection = new double[merged.length];
    // Children come after their parents: from the back, a child is complete before its parent.
    for (int i = merged.length - 1; i >= 0; i--) {
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

  private Node place(Profile.Node node, Node[] merged) {
    Node parent =
        switch (node.origin()) {
          case Profile.Node.SCOPE -> node.parent() < 0 ? root : merged[node.parent()];
          case Profile.Node.OUTSIDE -> root;
          default -> origins.get(node.origin());
        };
    String name = naming.apply(node.name());
    boolean folds = by == By.FOLDED_PLACE && !node.isTask();
    Node open = folds ? parent.openAs(name) : null;
    recursive |= open != null;
    return open == null ? child(parent, name, node.isTask()) : open;
  }

  private void add(Profile.Device device) {
    List<Node> asked = new ArrayList<>();
    for (Profile.Node operation : device.operations()) {
      Node place = origins.get(operation.origin());
      place.addDevice(operation);
      asked.add(place);
    }
    places.add(Collections.unmodifiableList(asked));
  }

  /**
   * How far a call is inside other calls of its own node.
   *
   * @param level calls of the same node around it, on its thread
   * @param workSaid whether one of those has declared the work of everything inside
   */
  record Inner(int level, boolean workSaid) {
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
      int[] path = new int[size];
      int depth = 0;
      int at = firstChild[0];
      while (at >= 0 || depth > 0) {
        if (at < 0) {
          int left = path[--depth];
          merged[left].around = inner[left];
          at = next[left];
          continue;
        }
        Inner around = merged[at].around;
        inner[at] = around;
        boolean said = around.workSaid || nodes.get(at).work().declared();
        merged[at].around = new Inner(around.level + 1, said);
        path[depth++] = at;
        at = firstChild[at + 1];
      }
      return inner;
    }
  }
}
