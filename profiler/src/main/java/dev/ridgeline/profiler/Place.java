package dev.ridgeline.profiler;

/**
 * A place in the merged tree from which work was handed over, the same object for every thread.
 *
 * @param parent the place above, null at the top
 * @param index position in {@link Profile#paths}
 */
record Place(Place parent, String name, boolean task, int index) {
  /** Where a task comes from that was handed over outside of every scope. */
  static final Place OUTSIDE = new Place(null, "", false, Profile.Node.OUTSIDE);

  Profile.Path path() {
    return new Profile.Path(parent == null ? -1 : parent.index, name, task);
  }
}
