package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** What the backward of a layer needs of its forward, in the order in which it is computed. */
class Activations {
  private final Workspace workspace;
  private final int rows;
  private final List<String> names = new ArrayList<>();
  private final List<Tensor> parts = new ArrayList<>();

  Activations(Workspace workspace, int rows) {
    this.workspace = workspace;
    this.rows = rows;
  }

  /**
   * One more of them.
   *
   * @param name the operation that gives it
   */
  final Tensor part(String name, int columns) {
    Tensor part = workspace.numbers(rows, columns);
    names.add(name);
    parts.add(part);
    return part;
  }

  final int count() {
    return parts.size();
  }

  final Tensor part(int index) {
    return parts.get(index);
  }

  /** The operation that gave the first of them that is broken, or empty. */
  final String origin(Head head) {
    for (int i = 0; i < parts.size(); i++) if (head.broken(parts.get(i))) return names.get(i);
    return "";
  }
}
