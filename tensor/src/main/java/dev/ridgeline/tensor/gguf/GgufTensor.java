package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.StoredTensor;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A tensor of an open GGUF file, still where the file is mapped.
 *
 * @param shape the row's length first
 * @param data its blocks; valid until the file is closed
 */
public record GgufTensor(String name, TensorType type, List<Long> shape, MemorySegment data)
    implements StoredTensor {
  public GgufTensor {
    shape = List.copyOf(shape);
  }
}
