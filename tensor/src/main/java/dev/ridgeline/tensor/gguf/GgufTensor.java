package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A tensor of a GGUF file, where the file is mapped. */
public record GgufTensor(String name, TensorType type, List<Long> shape, MemorySegment data) {
  /** Numbers in a row. */
  public long columns() {
    return shape.getFirst();
  }

  public long rows() {
    return count() / columns();
  }

  public long count() {
    return shape.stream().reduce(1L, Math::multiplyExact);
  }

  public long address() {
    return data.address();
  }
}
