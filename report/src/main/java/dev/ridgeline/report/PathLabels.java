package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Places in the tree as text: {@code ffn › gelu}, and {@code region ⇉ task} where the step was a
 * hand-over to another thread. Shortened from the left to fit; two places that would then read the
 * same keep the step in which they differ, though only one of them may be shown.
 */
public final class PathLabels {
  private static final String CUT = "…";

  /** Cells between two names. */
  private static final int JOINT = 3;

  /** Places that differ only further up are alike: recursion makes paths of thousands of steps. */
  private static final int FAR = 32;

  /** Less of a name than that tells nothing. */
  private static final int KEPT_AT_LEAST = 6;

  private PathLabels() {}

  /** A scope by its name, and how deep it calls itself where that was folded. */
  static String name(Node node) {
    String name = Text.clean(node.name());
    return node.recursion() == 1 ? name : "%s (%,d deep)".formatted(name, node.recursion());
  }

  /** The whole path. */
  public static String full(Node node) {
    return Steps.to(node).from(0);
  }

  /** The path in at most {@code width} cells. */
  static String fit(Node node, int width) {
    return Steps.to(node).fit(width, -1).text();
  }

  /** The paths of several places, each in at most {@code width} cells. */
  static List<String> fit(List<Node> nodes, int width) {
    List<Steps> all = nodes.stream().map(Steps::to).toList();
    List<String> labels = new ArrayList<>();
    Map<String, List<Integer>> sameLabel = new LinkedHashMap<>();
    Map<String, List<Node>> sameEnd = sameEnd(nodes);
    Map<String, Integer> differ = differences(sameEnd);
    for (int i = 0; i < nodes.size(); i++) {
      Steps steps = all.get(i);
      int up = differ.getOrDefault(steps.fromEnd(0), steps.names.size());
      Label label = steps.fit(width, steps.names.size() - 1 - up);
      String text = told(nodes.get(i), steps, label, width, sameEnd.get(steps.fromEnd(0))).text();
      sameLabel.computeIfAbsent(text, _ -> new ArrayList<>()).add(labels.size());
      labels.add(text);
    }
    for (List<Integer> group : sameLabel.values()) {
      if (group.size() == 1) continue;
      int up = firstDifference(group.stream().map(all::get).toList());
      for (int i : group) {
        labels.set(i, all.get(i).fit(width, all.get(i).names.size() - 1 - up).text());
      }
    }
    return labels;
  }

  /** All places of the tree that end as one of these does, by their last step. */
  private static Map<String, List<Node>> sameEnd(List<Node> nodes) {
    Map<String, List<Node>> sameEnd = new HashMap<>();
    if (nodes.isEmpty()) return sameEnd;
    for (Node node : nodes) sameEnd.put(Steps.last(node), new ArrayList<>());
    Node root = nodes.getFirst();
    while (root.parent() != null) root = root.parent();
    Deque<Node> left = new ArrayDeque<>(root.children());
    while (!left.isEmpty()) {
      Node node = left.pop();
      List<Node> same = sameEnd.get(Steps.last(node));
      if (same != null) same.add(node);
      node.children().forEach(left::push);
    }
    return sameEnd;
  }

  /**
   * By last step, how many steps above it the places of the whole tree that end so first differ: a
   * row must tell which of them it is even when the others are not shown.
   */
  private static Map<String, Integer> differences(Map<String, List<Node>> sameEnd) {
    Map<String, Integer> differences = new HashMap<>();
    sameEnd.forEach(
        (end, places) -> {
          if (places.size() > 1) differences.put(end, climb(places.toArray(Node[]::new)));
        });
    return differences;
  }

  /** The label, or one that also tells the place from others whose last steps are all the same. */
  private static Label told(Node node, Steps steps, Label label, int width, List<Node> places) {
    if (label.first() == 0 || label.kept() >= 0 && label.kept() < label.first()) return label;
    int shown = steps.names.size() - label.first();
    int up = FAR;
    for (Node other : places) {
      if (other != node) up = Math.min(up, firstDifference(node, other, shown, up));
    }
    if (up == FAR) return label;
    Label longer = steps.fit(width, steps.names.size() - 1 - up);
    boolean tells = longer.shows(steps.names.size() - 1 - up);
    return tells && (label.kept() < 0 || longer.shows(label.kept())) ? longer : label;
  }

  /**
   * How many steps above their ends two places first differ.
   *
   * @param same so many last steps must be the same, or there is nothing to tell
   * @param most more steps than that are not asked for
   * @return a large number if there is nothing to tell
   */
  private static int firstDifference(Node one, Node other, int same, int most) {
    for (int up = 0; up < most; up++) {
      if (one.parent() == null || other.parent() == null) break;
      boolean equal = one.isTask() == other.isTask() && one.name().equals(other.name());
      if (!equal) return up < same ? Integer.MAX_VALUE : up;
      one = one.parent();
      other = other.parent();
    }
    return Integer.MAX_VALUE;
  }

  private static int climb(Node[] places) {
    for (int up = 1; ; up++) {
      String step = null;
      for (int i = 0; i < places.length; i++) {
        places[i] = places[i].parent();
        if (places[i].parent() == null) return up;
        String other = Steps.last(places[i]);
        if (step != null && !step.equals(other)) return up;
        step = other;
      }
    }
  }

  /** How many steps above their ends the paths first differ. */
  private static int firstDifference(List<Steps> paths) {
    for (int up = 0; ; up++) {
      String name = paths.getFirst().fromEnd(up);
      for (Steps other : paths) if (name == null || !name.equals(other.fromEnd(up))) return up;
    }
  }

  /**
   * A label.
   *
   * @param first the step from which on all are shown
   * @param kept the step that had to be kept, or less than 0
   */
  private record Label(String text, int first, int kept) {
    boolean shows(int step) {
      return step >= first || step == kept;
    }
  }

  private record Steps(List<String> names, List<String> joints) {
    static Steps to(Node node) {
      List<String> names = new ArrayList<>();
      List<String> joints = new ArrayList<>();
      for (Node at = node; at.parent() != null; at = at.parent()) {
        names.add(at == node ? name(node) : Text.clean(at.name()));
        joints.add(at.isTask() ? " ⇉ " : " › ");
      }
      return new Steps(names.reversed(), joints.reversed());
    }

    /** What {@link #fromEnd} says of the last step. */
    static String last(Node node) {
      return (node.isTask() ? " ⇉ " : " › ") + PathLabels.name(node);
    }

    String fromEnd(int up) {
      int i = names.size() - 1 - up;
      return i < 0 ? null : joints.get(i) + names.get(i);
    }

    String from(int first) {
      StringBuilder text = new StringBuilder();
      for (int i = first; i < names.size(); i++) {
        if (i > first) text.append(joints.get(i));
        text.append(names.get(i));
      }
      return text.toString();
    }

    /** Begins with as much as fits of the way to the end; {@code keep} is a step to keep, or −1. */
    Label fit(int width, int keep) {
      int last = names.size() - 1;
      int tail = 0;
      // From the end, because recursion makes paths of thousands of steps.
      int longest = last + 1;
      while (longest > 0) {
        tail += Text.width(names.get(longest - 1)) + JOINT;
        if (tail - JOINT > width) break;
        longest--;
      }
      if (longest == 0) return new Label(from(0), 0, keep);
      for (int first = Math.max(1, longest); first <= last; first++) {
        String head = CUT + joints.get(first);
        if (keep >= 0 && keep < first) {
          String kept = (keep > 0 ? CUT + joints.get(keep) : "") + names.get(keep);
          head = keep == first - 1 ? kept + joints.get(first) : kept + " › " + head;
        }
        String label = head + from(first);
        if (Text.width(label) <= width) return new Label(label, first, keep);
      }
      if (keep >= 0 && keep < last) {
        String cut = keep == last - 1 ? "" : " › " + CUT;
        String end = cut + joints.get(last) + names.get(last);
        String kept = Text.fitEnd(names.get(keep), width - Text.width(end));
        if (Text.width(kept) >= KEPT_AT_LEAST) return new Label(kept + end, last, keep);
      }
      String head = last > 0 ? CUT + joints.get(last) : "";
      return new Label(Text.fit(head + names.get(last), width), last, -1);
    }
  }
}
