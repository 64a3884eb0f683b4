package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.List;

/**
 * A place in the merged tree from which work was handed over, the same object for every thread.
 *
 * @param parent the place above, null at the top
 * @param index position in {@link Profile#paths}
 */
record Place(Place parent, String name, boolean task, int index) {
  /** Where a task comes from that was handed over outside of every scope. */
  static final Place OUTSIDE = new Place(null, "", false, Profile.Node.OUTSIDE);

  /** The place of a thread's node, which is not the root; for the thread that writes it. */
  static Place of(LiveNode node, Session session) {
    List<LiveNode> unnamed = new ArrayList<>();
    for (LiveNode n = node; n.parent != null && n.place == null; n = n.parent) {
      unnamed.add(n);
      if (n.origin != null) break;
    }
    for (LiveNode n : unnamed.reversed()) {
      Place above = n.origin != null ? n.origin : n.parent.place;
      n.place = session.place(above, n.scope.name(), n.origin != null);
    }
    return node.place;
  }

  /** Where a node's scope is open already in the chain of tasks that led to it, or null. */
  static Place ofSameNameAbove(LiveNode node) {
    LiveNode task = node.parent;
    while (task != null && task.origin == null) task = task.parent;
    if (task == null) return null;
    for (Place place = task.origin; place != null; place = place.parent) {
      if (!place.task && place.name.equals(node.scope.name())) return place;
    }
    return null;
  }

  Profile.Path path() {
    return new Profile.Path(parent == null ? -1 : parent.index, name, task);
  }
}
