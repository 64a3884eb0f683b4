package dev.ridgeline.model.pass;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Takes the weights of a file to a device, one by one, and releases pages that it has copied. Each
 * must have the sizes that the model's shape gives it: a file may say anything.
 */
public final class Weights implements AutoCloseable {
  private final Gguf file;
  private final Device device;
  private final Map<String, Slot> slots;
  private final List<Tensor> taken = new ArrayList<>();

  private Weights(Gguf file, Shape shape, Device device) {
    this.file = file;
    this.device = device;
    this.slots = slots(file.tensors(), shape);
  }

  /** Those of a shape; a file with others is another model's, whose answers would be different. */
  private static Map<String, Slot> slots(List<GgufTensor> tensors, Shape shape) {
    if (shape.layers() > tensors.size()) {
      throw new ModelException(
          "block_count is %d, and there are %d tensors".formatted(shape.layers(), tensors.size()));
    }
    Map<String, Slot> slots = new HashMap<>();
    for (Slot slot : shape.slots()) slots.put(slot.name(), slot);
    for (GgufTensor tensor : tensors) {
      String name = tensor.name();
      if (slots.containsKey(name) || shape.ignores(name)) continue;
      throw new ModelException(
          "the tensor %s is not supported: a %s with a block_count of %d has none such"
              .formatted(name, shape.word(), shape.layers()));
    }
    return slots;
  }

  /** What a model makes of the weights of a file; if it fails, all that it took is closed. */
  public static <M> M of(Gguf file, Shape shape, Device device, Function<Weights, M> model) {
    Weights weights = new Weights(file, shape, device);
    try {
      return model.apply(weights);
    } catch (RuntimeException | Error e) {
      weights.close();
      throw e;
    }
  }

  /** A matrix with its bias or null. */
  public record Linear(Tensor matrix, Tensor bias) {
    public Projection to(Tensor out) {
      return new Projection(out, matrix, bias);
    }
  }

  /** The weight and the bias of a layer norm. */
  public record Norm(Tensor weight, Tensor bias) {}

  /** A matrix with its bias, if the model's shape has one. */
  public Linear linear(String name) {
    return linear(name, Precision.USUAL);
  }

  /** The same for products of a precision. */
  public Linear linear(String name, Precision precision) {
    Tensor matrix = copied(name + ".weight", Layout.MATRIX, precision);
    return new Linear(matrix, vectorOrNull(name + ".bias"));
  }

  public Norm norm(String name) {
    return new Norm(vector(name + ".weight"), vector(name + ".bias"));
  }

  /** A matrix with a row per output. */
  public Tensor matrix(String name) {
    return copied(name, Layout.MATRIX, Precision.USUAL);
  }

  public Tensor vector(String name) {
    return copied(name, Layout.VECTOR, Precision.USUAL);
  }

  /** A vector that not every model of a kind has. */
  public Tensor vectorOrNull(String name) {
    return slots.containsKey(name) ? vector(name) : null;
  }

  /** The numbers of a vector themselves, or null where the model's shape has no such vector. */
  public float[] numbersOrNull(String name) {
    Tensor vector = vectorOrNull(name);
    if (vector == null) return null;
    float[] numbers = new float[vector.columns()];
    device.read(vector, 0, numbers, 0);
    return numbers;
  }

  /** A table that rows are looked up in; it stays in the file. */
  public Tensor table(String name) {
    return keep(device.weights(stored(name), Layout.ROWS));
  }

  /** The first row of a table. */
  public Tensor firstRow(String name) {
    GgufTensor table = stored(name);
    GgufTensor row =
        new GgufTensor(
            name,
            table.type(),
            List.of(table.columns()),
            table.data().asSlice(0, table.type().bytes(table.columns())));
    return keep(device.weights(row, Layout.VECTOR));
  }

  private Tensor copied(String name, Layout layout, Precision precision) {
    GgufTensor stored = stored(name);
    Tensor tensor;
    try {
      tensor = keep(device.weights(stored, layout, precision));
    } catch (KernelException e) {
      throw new ModelException("%s: %s".formatted(file.path(), e.getMessage()), e);
    }
    if (layout == Layout.VECTOR || device.repacks()) file.release(stored);
    return tensor;
  }

  private GgufTensor stored(String name) {
    GgufTensor stored = file.tensor(name);
    if (stored.type() == TensorType.I32) {
      throw new ModelException(
          "%s: tensor %s is %s, which is not a type of weights"
              .formatted(file.path(), name, stored.type().word()));
    }
    Slot slot = slots.get(name);
    if (stored.rows() != slot.rows() || stored.columns() != slot.columns()) {
      throw new ModelException(
          "%s: tensor %s is %d×%d, the model's shape needs %d×%d"
              .formatted(
                  file.path(), name, stored.rows(), stored.columns(), slot.rows(), slot.columns()));
    }
    return stored;
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
