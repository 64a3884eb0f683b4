package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A tensor of an open GGUF file, still where the file is mapped.
 *
 * @param shape the row's length first
 * @param data its blocks; valid until the file is closed
 */
public record GgufTensor(String name, TensorType type, List<Long> shape, MemorySegment data) {
  public GgufTensor {
    shape = List.copyOf(shape);
  }

  /** How many numbers a row has. */
  public long columns() {
    return shape.isEmpty() ? 1 : shape.getFirst();
  }

  /** How many rows it has in all its other dimensions. */
  public long rows() {
    return count() / columns();
  }

  /** How many numbers it has. */
  public long count() {
    long count = 1;
    for (long length : shape) count *= length;
    return count;
  }

  /** Where it begins in {@link dev.ridgeline.tensor.Memory#ALL}. */
  public long address() {
    return data.address();
  }
}
