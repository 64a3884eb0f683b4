package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Work;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Declared work of each place without what is inside it, such that a viewer that sums it up again
 * gets what {@link Node#work} says: a place that declares its work speaks for everything inside.
 *
 * <p>Where those inside declare more than the place around them, they are silenced: no viewer takes
 * negative work well.
 */
final class WorkAlone {
  private final Map<Node, Work> alone = new HashMap<>();
  private final Set<Node> asDeclared = new HashSet<>();
  private final Set<Node> silenced = new HashSet<>();
  private final Set<Node> silencing = new HashSet<>();

  WorkAlone(CallTree tree) {
    tree.forEach(this::visit);
  }

  private void visit(Node place) {
    Node parent = place.parent();
    if (silenced.contains(parent) || silencing.contains(parent)) {
      silenced.add(place);
      return;
    }
    long bytes = place.work().bytes();
    long flops = place.work().flops();
    boolean inside = false;
    for (Node child : place.children()) {
      bytes -= child.work().bytes();
      flops -= child.work().flops();
      inside |= child.work().declared();
    }
    boolean contradicted = bytes < 0 || flops < 0;
    if (contradicted) silencing.add(place);
    if (contradicted || !inside) asDeclared.add(place);
    alone.put(place, contradicted ? place.work() : new Work(bytes, flops));
  }

  /** The work of a place alone. */
  Work of(Node place) {
    return alone.getOrDefault(place, Work.NONE);
  }

  /** Whether that is just what its lanes declared, nothing subtracted. */
  boolean asDeclared(Node place) {
    return asDeclared.contains(place);
  }

  /** Places whose declared work counts for nothing. */
  long silenced() {
    return silenced.stream().filter(place -> place.work().declared()).count();
  }
}
