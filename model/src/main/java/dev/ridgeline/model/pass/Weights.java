package dev.ridgeline.model.pass;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the weights of a file to a device, one by one, and releases pages that it has copied.
 * Whoever takes them says which shape they must have: a file may say anything.
 */
public final class Weights implements AutoCloseable {
  private final Gguf file;
  private final Device device;
  private final List<Tensor> taken = new ArrayList<>();

  /** Those of a file that has the tensors of a shape, and no others. */
  public Weights(Gguf file, Shape shape, Device device) {
    shape.refuseOthers(file);
    this.file = file;
    this.device = device;
  }

  public boolean has(String name) {
    return file.has(name);
  }

  /** A matrix with a row per output. */
  public Tensor matrix(String name, int outputs, int inputs) {
    return copied(name, Layout.MATRIX, outputs, inputs);
  }

  /** A matrix whose product is to be fast before all else. */
  public Tensor coarseMatrix(String name, int outputs, int inputs) {
    return copied(name, Layout.COARSE_MATRIX, outputs, inputs);
  }

  /**
   * A matrix whose product keeps the digits of what it is given. Values of attention want it: they
   * go into the result as they are, where queries and keys pass a softmax.
   */
  public Tensor fineMatrix(String name, int outputs, int inputs) {
    return copied(name, Layout.FINE_MATRIX, outputs, inputs);
  }

  public Tensor vector(String name, int length) {
    return copied(name, Layout.VECTOR, 1, length);
  }

  /** The numbers of a vector themselves. */
  public float[] numbers(String name, int length) {
    float[] numbers = new float[length];
    device.read(vector(name, length), 0, numbers, 0);
    return numbers;
  }

  /** A table that rows are looked up in; it stays in the file. */
  public Tensor table(String name, int rows, int columns) {
    return keep(device.weights(shaped(name, rows, columns), Layout.ROWS));
  }

  /** The first row of a table. */
  public Tensor firstRow(String name, int columns) {
    GgufTensor table = stored(name);
    if (table.columns() != columns) throw wrongShape(table, 1, columns);
    GgufTensor row =
        new GgufTensor(
            name,
            table.type(),
            List.of((long) columns),
            table.data().asSlice(0, table.type().bytes(columns)));
    return keep(device.weights(row, Layout.VECTOR));
  }

  /** How many rows a table of the file has. */
  public int rows(String name) {
    return Math.toIntExact(file.tensor(name).rows());
  }

  private Tensor copied(String name, Layout layout, int rows, int columns) {
    GgufTensor stored = shaped(name, rows, columns);
    Tensor tensor;
    try {
      tensor = keep(device.weights(stored, layout));
    } catch (KernelException e) {
      throw new ModelException("%s: %s".formatted(file.path(), e.getMessage()), e);
    }
    if (layout == Layout.VECTOR || device.repacks()) file.release(stored);
    return tensor;
  }

  private GgufTensor shaped(String name, int rows, int columns) {
    GgufTensor stored = stored(name);
    if (stored.rows() != rows || stored.columns() != columns) {
      throw wrongShape(stored, rows, columns);
    }
    return stored;
  }

  private GgufTensor stored(String name) {
    GgufTensor stored = file.tensor(name);
    if (stored.type() == TensorType.I32) {
      throw new ModelException(
          "%s: tensor %s is %s, which is not a type of weights"
              .formatted(file.path(), name, stored.type().word()));
    }
    return stored;
  }

  private ModelException wrongShape(GgufTensor stored, int rows, int columns) {
    return new ModelException(
        "%s: tensor %s is %d×%d, the model's shape needs %d×%d"
            .formatted(file.path(), stored.name(), stored.rows(), stored.columns(), rows, columns));
  }

  private Tensor keep(Tensor tensor) {
    taken.add(tensor);
    return tensor;
  }

  @Override
  public void close() {
    taken.forEach(Tensor::close);
  }
}
