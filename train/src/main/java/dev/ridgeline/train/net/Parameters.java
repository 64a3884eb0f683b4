package dev.ridgeline.train.net;

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
 * All that a model learns, one tensor behind the other: first those that decay, so that a step of
 * the optimizer is two passes over memory, and a norm or a sum of gradients one.
 */
public final class Parameters implements AutoCloseable {
  /** Numbers that each tensor's place is a multiple of: a line of the cache. */
  private static final int ALIGNMENT = 16;

  private final GradDevice training;
  private final List<Parameter> all;
  private final Tensor weights;
  private final long decaying;
  private final long count;

  private Parameters(Device device, List<Wanted> wanted) {
    this.training = GradDevice.of(device);
    long[] from = new long[wanted.size()];
    long at = 0;
    long learnt = 0;
    long decay = 0;
    for (boolean decays : new boolean[] {true, false}) {
      for (int i = 0; i < from.length; i++) {
        Wanted each = wanted.get(i);
        if (each.kind.decays() != decays) continue;
        from[i] = at;
        long numbers = (long) each.rows * each.columns;
        learnt += numbers;
        at = Math.addExact(at, (numbers + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
      }
      if (decays) decay = at;
    }
    if (at > Integer.MAX_VALUE) {
      throw new TrainException(
          "%,d parameters are too many: at most 2 thousand million".formatted(learnt));
    }
    this.count = learnt;
    this.decaying = decay;
    this.weights = training.numbers("weights", 1, Math.toIntExact(at));
    List<Parameter> made = new ArrayList<>();
    for (int i = 0; i < from.length; i++) made.add(made(i, wanted.get(i), from[i]));
    this.all = List.copyOf(made);
  }

  private Parameter made(int index, Wanted it, long from) {
    boolean vector = it.kind == Kind.NORM || it.kind == Kind.BIAS;
    return new Parameter(
        index,
        it.parts.getFirst().name(),
        it.kind,
        it.rows,
        it.columns,
        it.parts,
        from,
        training.view(weights, vector ? Layout.VECTOR : Layout.ROWS, from, it.rows, it.columns),
        it.multiplied ? training.matrix("packed weights", it.rows, it.columns) : null,
        it.multiplied ? training.matrix("packed weights", it.columns, it.rows) : null);
  }

  /** In the order of the paper. */
  public List<Parameter> all() {
    return all;
  }

  /** Numbers that are learnt. */
  public long count() {
    return count;
  }

  /** All weights, one behind the other. */
  public Tensor weights() {
    return weights;
  }

  /** How many numbers from the first on decay. */
  public long decaying() {
    return decaying;
  }

  /** Room for something of each weight. */
  public Tensor alike(String owner) {
    return training.numbers(owner, 1, weights.columns());
  }

  /** The first numbers of such room, those that decay; or the others. */
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

  /** Packs all matrices again: their weights have changed. */
  public void pack(Grad grad) {
    // Not by an iterator: nothing is allocated in a step.
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

  private record Wanted(Kind kind, boolean multiplied, int rows, int columns, List<Part> parts) {}

  /** What a model wants to learn. */
  static final class Plan {
    private final List<Wanted> wanted = new ArrayList<>();

    /** A matrix; several names are rows of each, one behind the other. */
    int matrix(Kind kind, int columns, Object... namesAndRows) {
      return add(kind, true, columns, namesAndRows);
    }

    /**
     * @param multiplied whether it is the last matrix, too
     */
    int table(String name, int rows, int columns, boolean multiplied) {
      return add(Kind.TABLE, multiplied, columns, name, rows);
    }

    int vector(Kind kind, int length, String name) {
      return add(kind, false, length, name, 1);
    }

    private int add(Kind kind, boolean multiplied, int columns, Object... namesAndRows) {
      List<Part> parts = new ArrayList<>();
      int rows = 0;
      for (int i = 0; i < namesAndRows.length; i += 2) {
        int count = (int) namesAndRows[i + 1];
        parts.add(new Part((String) namesAndRows[i], rows, count));
        rows += count;
      }
      wanted.add(new Wanted(kind, multiplied, rows, columns, List.copyOf(parts)));
      return wanted.size() - 1;
    }

    Parameters on(Device device) {
      return new Parameters(device, wanted);
    }
  }

  /** Where a tensor of a file is kept. */
  public record Place(Parameter parameter, Part part) {}

  /** Where the tensor of a slot is kept. */
  public Place place(Slot slot) {
    for (Parameter each : all) {
      for (Part part : each.parts()) {
        if (part.name().equals(slot.name())) return new Place(each, part);
      }
    }
    throw new IllegalArgumentException(slot.name() + " is not learnt");
  }
}
