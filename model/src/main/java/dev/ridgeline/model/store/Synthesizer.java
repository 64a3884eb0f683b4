package dev.ridgeline.model.store;

import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Path;

/** Makes up a model of a named shape. */
interface Synthesizer {
  /**
   * Writes random weights.
   *
   * @throws StoreException if there is no such shape
   */
  void write(String shape, TensorType type, Path gguf) throws IOException;
}
