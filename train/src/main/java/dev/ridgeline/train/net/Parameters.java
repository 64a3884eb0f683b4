package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.net.Parameter.Kind;
import dev.ridgeline.train.net.Parameter.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * All weights of a model, one tensor after the other: first those that decay, so that a step of the
 * optimizer is two passes over memory, and a norm or a sum of gradients one.
 */
public final class Parameters implements AutoCloseable {
  /** Numbers that each tensor's start is a multiple of: a cache line. */
  private static final int ALIGNMENT = 16;

  /** Ends of the names of matrices whose output is added to the residual stream. */
  private static final List<String> RESIDUAL = List.of("attn_output.weight", "ffn_down.weight");

  private final GradDevice training;
  private final List<Parameter> all;
  private final Tensor weights;
  private final long decaying;
  private final long count;

  /**
   * Those of a shape, all zero.
   *
   * @param tied whether the table of tokens is the matrix of the last product, too
   * @param joined ends of the names of tensors whose rows follow those of the tensor before
   */
  Parameters(Shape shape, boolean tied, List<String> joined, Device device) {
    this.training = GradDevice.of(device);
    List<Planned> planned = new ArrayList<>();
    for (Slot slot : shape.slots()) {
      boolean joins = joined.stream().anyMatch(slot.name()::endsWith);
      if (!joins) planned.add(Planned.of(slot, tied));
      planned.getLast().add(slot);
    }
    long[] from = new long[planned.size()];
    long at = 0;
    long numbers = 0;
    long decay = 0;
    for (boolean decays : new boolean[] {true, false}) {
      for (int i = 0; i < from.length; i++) {
        Planned each = planned.get(i);
        if (each.kind.decays() != decays) continue;
        from[i] = at;
        numbers += each.count();
        at = Math.addExact(at, (each.count() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
      }
      if (decays) decay = at;
    }
    if (at > Integer.MAX_VALUE) {
      throw new TrainException(
          "%,d parameters are too many: the limit is 2 billion".formatted(numbers));
    }
    this.count = numbers;
    this.decaying = decay;
    this.weights = training.numbers("weights", 1, Math.toIntExact(at));
    List<Parameter> made = new ArrayList<>();
    for (int i = 0; i < from.length; i++) {
      Planned each = planned.get(i);
      int rows = each.rows();
      Layout layout = each.vector ? Layout.VECTOR : Layout.ROWS;
      made.add(
          new Parameter(
              i,
              each.kind,
              List.copyOf(each.parts),
              from[i],
              training.view(weights, layout, from[i], rows, each.columns),
              each.multiplied ? training.matrix("packed weights", rows, each.columns) : null,
              each.multiplied ? training.matrix("packed weights", each.columns, rows) : null));
    }
    this.all = List.copyOf(made);
  }

  /** A parameter that has no memory yet. */
  private record Planned(
      Kind kind, boolean vector, boolean multiplied, int columns, List<Part> parts) {
    static Planned of(Slot slot, boolean tied) {
      Kind kind =
          switch (slot.kind()) {
            case MATRIX ->
                RESIDUAL.stream().anyMatch(slot.name()::endsWith) ? Kind.RESIDUAL : Kind.MATRIX;
            case EMBEDDING, TABLE -> Kind.TABLE;
            case NORM -> Kind.NORM;
            case BIAS -> Kind.BIAS;
            case FACTORS -> throw new TrainException(slot.name() + " cannot be trained");
          };
      boolean multiplied =
          slot.kind() == Slot.Kind.MATRIX || slot.kind() == Slot.Kind.EMBEDDING && tied;
      int columns = Math.toIntExact(slot.columns());
      return new Planned(kind, slot.vector(), multiplied, columns, new ArrayList<>());
    }

    void add(Slot slot) {
      parts.add(new Part(slot.name(), rows(), Math.toIntExact(slot.rows())));
    }

    int rows() {
      return parts.stream().mapToInt(Part::rows).sum();
    }

    long count() {
      return (long) rows() * columns;
    }
  }

  /** In the order of the model's file. */
  public List<Parameter> all() {
    return all;
  }

  /** The one whose first part has a name, or null. */
  Parameter find(String name) {
    for (Parameter each : all) if (each.name().equals(name)) return each;
    return null;
  }

  /** How many numbers they have. */
  public long count() {
    return count;
  }

  /** All weights, one after the other. */
  public Tensor weights() {
    return weights;
  }

  /** How many numbers, from the first, decay. */
  public long decaying() {
    return decaying;
  }

  /** Room for one number per weight. */
  public Tensor alike(String owner) {
    return training.numbers(owner, 1, weights.columns());
  }

  /** The part of such room whose weights decay, or the other; null if it is empty. */
  public Tensor part(Tensor alike, boolean decays) {
    long from = decays ? 0 : decaying;
    long to = decays ? decaying : alike.columns();
    if (from == to) return null;
    return training.view(alike, Layout.ROWS, from, 1, Math.toIntExact(to - from));
  }

  /** Room for gradients. */
  public Gradients gradients(String owner) {
    Tensor room = alike(owner);
    List<Tensor> views = new ArrayList<>();
    for (Parameter each : all) {
      views.add(training.view(room, Layout.ROWS, each.from(), each.rows(), each.columns()));
    }
    return new Gradients(room, views);
  }

  /** Packs all matrices again after their weights have changed. */
  public void pack(Grad grad) {
    // Without an iterator: a step allocates nothing.
    for (int i = 0; i < all.size(); i++) {
      Parameter each = all.get(i);
      if (each.forward() == null) continue;
      grad.pack(each.forward(), each.weight());
      grad.packTransposed(each.backward(), each.weight());
    }
  }

  @Override
  public void close() {
    for (Parameter each : all) {
      if (each.forward() == null) continue;
      each.forward().close();
      each.backward().close();
    }
    weights.close();
  }

  /** The place of a tensor of a file. */
  public record Place(Parameter parameter, Part part) {}

  /** The place of the tensor of a slot. */
  public Place place(Slot slot) {
    for (Parameter each : all) {
      for (Part part : each.parts()) {
        if (part.name().equals(slot.name())) return new Place(each, part);
      }
    }
    throw new IllegalArgumentException(slot.name() + " is not trained");
  }
}
