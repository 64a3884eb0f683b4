package dev.ridgeline.tensor.kernel.assembled;

import java.util.ArrayList;
import java.util.List;

/** A place in code that jumps lead to, before or after it is known. */
public final class Label {
  static final int UNKNOWN = -1;

  int place = UNKNOWN;

  /** Where jumps wait for the place: offsets of their four bytes. */
  final List<Integer> waiting = new ArrayList<>();
}
