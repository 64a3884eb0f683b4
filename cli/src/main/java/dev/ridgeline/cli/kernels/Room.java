package dev.ridgeline.cli.kernels;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.grad.GradDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What one kernel works with. The same name and seed give the same numbers, whichever other kernels
 * run.
 */
record Room(
    Device device, String name, Ops ops, Grad grad, SplittableRandom random, List<Runnable> closing)
    implements AutoCloseable {
  static final String OWNER = "kernels";

  /** Numbers on the device, and on the heap for formulas. */
  record Input(float[] numbers, Tensor tensor) {
    double at(int row, int column) {
      return numbers[row * tensor.columns() + column];
    }

    double at(int column) {
      return numbers[column];
    }

    int columns() {
      return tensor.columns();
    }
  }

  Room(Device device, String name, long seed) {
    this(
        device,
        name,
        new Ops(device),
        new Grad(device),
        new SplittableRandom(seed * 31 + name.hashCode()),
        new ArrayList<>());
  }

  /** Rows of numbers spread evenly over {@code [-range, range)}. */
  Input rows(int rows, int columns, double range) {
    float[] numbers = new float[rows * columns];
    for (int i = 0; i < numbers.length; i++) numbers[i] = (float) random.nextDouble(-range, range);
    Tensor tensor = empty(rows, columns);
    device.write(tensor, numbers, 0);
    return new Input(numbers, tensor);
  }

  Input vector(int columns, double range) {
    Input row = rows(1, columns, range);
    Tensor view = GradDevice.of(device).view(row.tensor(), Layout.VECTOR, 0, 1, columns);
    return new Input(row.numbers(), view);
  }

  /** Integers of {@code [0, bound)}. */
  int[] integers(int count, int bound) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) numbers[i] = random.nextInt(bound);
    return numbers;
  }

  Tensor column(int[] integers) {
    Tensor tensor = keep(device.allocate(OWNER, TensorType.I32, integers.length, 1));
    device.write(tensor, integers, 0);
    return tensor;
  }

  /** A matrix of a row per output. */
  Tensor matrix(Input rows) {
    Tensor packed = packed(rows.tensor().rows(), rows.columns());
    grad.pack(packed, rows.tensor());
    return packed;
  }

  /** A matrix of a row per input. */
  Tensor transposed(Input rows) {
    Tensor packed = packed(rows.columns(), rows.tensor().rows());
    grad.packTransposed(packed, rows.tensor());
    return packed;
  }

  private Tensor packed(int outputs, int inputs) {
    return keep(GradDevice.of(device).matrix(OWNER, outputs, inputs));
  }

  /** One text. */
  Sequences text(int tokens) {
    Sequences text = new Sequences(device, OWNER, 1, tokens);
    closing.add(text::close);
    text.add(tokens);
    return text;
  }

  /** Zeros. */
  Tensor empty(int rows, int columns) {
    return keep(empty(OWNER, rows, columns));
  }

  /** Zeros that the caller closes. */
  Tensor empty(String owner, int rows, int columns) {
    return device.allocate(owner, TensorType.F32, rows, columns);
  }

  Tensor keep(Tensor tensor) {
    closing.add(tensor::close);
    return tensor;
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
    closing.clear();
  }
}
