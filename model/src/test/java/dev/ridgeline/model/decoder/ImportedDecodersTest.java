package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.imports.HuggingFaceModel;
import dev.ridgeline.model.imports.ModelImport;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was imported from a Hugging Face folder is a model to llama.cpp, and the same one. */
class ImportedDecodersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      names = {"LLAMA_TINY", "LLAMA3_TINY", "QWEN2_TINY", "QWEN3_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  void llamaCppReadsTheSame(SynthShape shape) throws IOException {
    new HuggingFaceModel(shape, folder).write();
    Path model = folder.resolve("imported.gguf");
    try (ModelImport source = ModelImport.open(folder, ModelImport.Options.NONE)) {
      source.write(model, TensorType.F32, _ -> {});
    }
    int vocabulary = shape.architecture().vocabulary();
    assertThat(DecoderAgainstLlamaCppTest.distance(model, vocabulary)).isLessThanOrEqualTo(1e-3);
  }
}
