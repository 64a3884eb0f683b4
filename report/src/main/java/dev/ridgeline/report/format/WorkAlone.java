package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Work;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Declared work of one kind of each place without what is inside it, such that a viewer that sums
 * it up again gets what {@link Node#work} says: a place that declares its work speaks for
 * everything inside.
 *
 * <p>Where those inside declare more than the place around them, they are silenced: no viewer takes
 * negative work well.
 */
final class WorkAlone {
  private final ToLongFunction<Work> kind;
  private final Map<Node, Long> alone = new HashMap<>();
  private final Set<Node> asDeclared = new HashSet<>();
  private final Set<Node> silenced = new HashSet<>();
  private final Set<Node> silencing = new HashSet<>();

  /** Of bytes or of FLOPs. */
  WorkAlone(CallTree tree, ToLongFunction<Work> kind) {
    this.kind = kind;
    tree.forEach(this::visit);
  }

  private void visit(Node place) {
    Node parent = place.parent();
    if (silenced.contains(parent) || silencing.contains(parent)) {
      silenced.add(place);
      return;
    }
    long declared = declared(place);
    long inside = 0;
    for (Node child : place.children()) inside += declared(child);
    boolean contradicted = inside > declared;
    if (contradicted) silencing.add(place);
    if (contradicted || inside == 0) asDeclared.add(place);
    alone.put(place, contradicted ? declared : declared - inside);
  }

  private long declared(Node place) {
    return kind.applyAsLong(place.work());
  }

  /** The work of a place alone, where that is no one thread's: what others left of it. */
  long rest(Node place) {
    return asDeclared.contains(place) ? 0 : alone.getOrDefault(place, 0L);
  }

  /** The work of a place alone on one thread, given what was declared there. */
  long own(Node place, Work onThread) {
    return asDeclared.contains(place) ? kind.applyAsLong(onThread) : 0;
  }

  /** Places whose declared work counts for nothing. */
  long silenced() {
    return silenced.stream().filter(place -> declared(place) != 0).count();
  }
}
