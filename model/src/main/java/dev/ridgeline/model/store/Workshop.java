package dev.ridgeline.model.store;

import dev.ridgeline.model.imports.ImportException;
import dev.ridgeline.model.imports.ModelImport;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufException;
import java.io.IOException;
import java.nio.file.Path;

/** Makes GGUF files: of what a model was published as, or of nothing but its shape. */
interface Workshop {
  /** What does it in earnest. */
  Workshop HERE =
      new Workshop() {
        @Override
        public void convert(
            KnownModel model, Path onnx, Path tokenizer, TensorType type, Path gguf) {
          var options = new Options(model.title(), model.pooling(), 0, tokenizer, model.prompts());
          try (var source = ModelImport.open(onnx, options)) {
            source.write(gguf, type, _ -> {});
          } catch (ImportException | GgufException e) {
            throw new StoreException(e.getMessage(), e);
          }
        }

        @Override
        public void synthesize(SynthShape shape, TensorType type, Path gguf) {
          try {
            SynthModel.write(shape, type, SynthModel.SEED, gguf, _ -> {});
          } catch (ImportException | GgufException e) {
            throw new StoreException(e.getMessage(), e);
          }
        }
      };

  /**
   * Converts one of the catalog.
   *
   * @param type of its matrices
   * @param gguf the file to write
   */
  void convert(KnownModel model, Path onnx, Path tokenizer, TensorType type, Path gguf)
      throws IOException;

  /** Writes random weights in a shape. */
  void synthesize(SynthShape shape, TensorType type, Path gguf) throws IOException;
}
