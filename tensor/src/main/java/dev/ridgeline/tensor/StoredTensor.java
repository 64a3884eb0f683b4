package dev.ridgeline.tensor;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Numbers that a {@link Device} can take as weights, where an open file has them. */
public interface StoredTensor {
  String name();

  TensorType type();

  /** How many numbers it has in each dimension, the row's length first. */
  List<Long> shape();

  /** Its blocks; valid until the file is closed. */
  MemorySegment data();

  /** How many numbers a row has. */
  default long columns() {
    return shape().isEmpty() ? 1 : shape().getFirst();
  }

  /** How many rows it has in all its other dimensions. */
  default long rows() {
    return count() / columns();
  }

  /** How many numbers it has. */
  default long count() {
    long count = 1;
    for (long length : shape()) count *= length;
    return count;
  }

  /** Where it begins in {@link Memory#ALL}. */
  default long address() {
    return data().address();
  }
}
