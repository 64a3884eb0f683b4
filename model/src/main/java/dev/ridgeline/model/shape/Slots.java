package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import java.util.ArrayList;
import java.util.List;

/** Lists the tensors of a shape; names come without their {@code .weight} and {@code .bias}. */
final class Slots {
  private final List<Slot> all = new ArrayList<>();

  List<Slot> all() {
    return all;
  }

  void table(Kind kind, String name, String original, long rows, long columns) {
    add(".weight", new Slot(name, original, kind, rows, columns));
  }

  void matrix(String name, String original, long outputs, long inputs, Change change) {
    add(".weight", new Slot(name, original, Kind.MATRIX, outputs, inputs, change));
  }

  void vector(Kind kind, String name, String original, long length, Change change) {
    String suffix = kind == Kind.BIAS ? ".bias" : ".weight";
    add(suffix, new Slot(name, original, kind, 1, length, change));
  }

  /** A matrix and its bias. */
  void linear(String name, String original, long outputs, long inputs, Change change) {
    matrix(name, original, outputs, inputs, change);
    vector(Kind.BIAS, name, original, outputs, Change.NONE);
  }

  /** The weight and the bias of a layer norm. */
  void layerNorm(String name, String original, long length) {
    vector(Kind.NORM, name, original, length, Change.NONE);
    vector(Kind.BIAS, name, original, length, Change.NONE);
  }

  private void add(String suffix, Slot slot) {
    all.add(
        new Slot(
            slot.name() + suffix,
            slot.original() + suffix,
            slot.kind(),
            slot.rows(),
            slot.columns(),
            slot.change()));
  }
}
