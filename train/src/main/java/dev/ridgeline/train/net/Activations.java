package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** What the backward pass of a layer needs of its forward pass, in the order of computation. */
final class Activations {
  private final Workspace workspace;
  private final int rows;
  private final List<String> names = new ArrayList<>();
  private final List<Tensor> parts = new ArrayList<>();

  final Tensor normed;
  final PackedQkv qkv;
  final Tensor mixed;
  final Tensor middle;
  final Tensor middleNormed;

  /** The input of the activation function, and the same cut into its arguments. */
  final Tensor up;

  final Tensor[] arguments;
  final Tensor activated;

  /**
   * @param count arguments of the activation function
   * @param hidden columns of each, and of its result
   */
  Activations(Workspace workspace, int rows, int width, HeadSizes heads, int count, int hidden) {
    this.workspace = workspace;
    this.rows = rows;
    normed = part("attention › norm", width);
    qkv = PackedQkv.of(part("attention › qkv", heads.queries() + 2 * heads.keys()), heads);
    mixed = part("attention › heads", heads.queries());
    middle = part("attention › output", width);
    middleNormed = part("ffn › norm", width);
    up = part("ffn › up", count * hidden);
    arguments = new Tensor[count];
    for (int i = 0; i < count; i++) arguments[i] = up.columns(i * hidden, (i + 1) * hidden);
    activated = part("ffn › activation", hidden);
  }

  /** Adds what an operation computes. */
  private Tensor part(String name, int columns) {
    Tensor part = workspace.numbers(rows, columns);
    names.add(name);
    parts.add(part);
    return part;
  }

  List<Tensor> parts() {
    return parts;
  }

  /** The operation that computed the tensor at an index. */
  String name(int index) {
    return names.get(index);
  }
}
