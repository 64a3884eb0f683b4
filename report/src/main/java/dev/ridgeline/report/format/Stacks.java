package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a tree as stacks of frames, a frame being the number of a name.
 *
 * <p>A file of stacks grows with the square of their depth, so what is deeper than {@link #DEEPEST}
 * stands in one frame at that depth. Nothing is lost from the sums.
 */
final class Stacks {
  static final int DEEPEST = 1_000;
  static final String DEEPER = "(deeper)";

  private final Map<String, Integer> frames = new LinkedHashMap<>();

  Stacks(CallTree tree) {
    tree.forEach(
        node -> {
          frames.putIfAbsent(node.name(), frames.size());
          if (node.depth() > DEEPEST) frames.putIfAbsent(DEEPER, frames.size());
        });
  }

  /** What each frame is called. */
  List<String> names() {
    return List.copyOf(frames.keySet());
  }

  /** The frame of a name. */
  int frame(String name) {
    return frames.get(name);
  }

  /** The frames from a node up to the top, the node's own first. */
  List<Integer> leafFirst(Node node) {
    int depth = node.depth();
    List<Integer> stack = new ArrayList<>(Math.min(depth, DEEPEST));
    Node at = node;
    for (; depth > DEEPEST; depth--) at = at.parent();
    stack.add(frames.get(at == node ? node.name() : DEEPER));
    for (at = at.parent(); at.parent() != null; at = at.parent()) stack.add(frames.get(at.name()));
    return stack;
  }
}
