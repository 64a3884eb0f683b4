package dev.ridgeline.model.store;

import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Path;

/** Makes a GGUF file of what a model was published as. */
interface Converter {
  /**
   * Converts one of the catalog.
   *
   * @param type of its matrices
   * @param gguf the file to write
   */
  void convert(KnownModel model, Path onnx, Path tokenizer, TensorType type, Path gguf)
      throws IOException;
}
