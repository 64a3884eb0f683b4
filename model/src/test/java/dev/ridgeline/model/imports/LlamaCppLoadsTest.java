package dev.ridgeline.model.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.LlamaCpp;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written here is what llama.cpp expects. */
class LlamaCppLoadsTest {
  @TempDir private Path folder;

  @Test
  void theRealMiniLmOutOfItsOnnxFile() throws IOException {
    for (String file : new String[] {"all-minilm-l6-v2.onnx", "all-minilm-l6-v2-tokenizer.json"}) {
      try (InputStream in = getClass().getResourceAsStream("/" + file)) {
        Files.copy(in, folder.resolve(file));
      }
    }
    Path out = folder.resolve("out.gguf");
    try (ModelImport model =
        ModelImport.open(folder.resolve("all-minilm-l6-v2.onnx"), Options.NONE)) {
      assertThat(model.architecture())
          .isEqualTo(new BertShape(30_522, 512, 2, 6, 384, 1536, 12, 1e-12f, Pooling.MEAN));
      model.write(out, TensorType.Q8_0, step -> {});
    }
    assertThat(LlamaCpp.fetch().vocabularyOfLoaded(out)).isEqualTo(30_522);
  }

  @ParameterizedTest
  @EnumSource(SynthShape.class)
  void everySyntheticShape(SynthShape shape) {
    Path out = folder.resolve("synth.gguf");
    SynthModel.write(shape, TensorType.Q4_0, 1, out, step -> {});
    assertThat(LlamaCpp.fetch().vocabularyOfLoaded(out))
        .isEqualTo(shape.architecture().vocabulary());
  }
}
