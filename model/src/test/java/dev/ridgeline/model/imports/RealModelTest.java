package dev.ridgeline.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** The default model, as its makers exported it. */
@Execution(CONCURRENT)
class RealModelTest {
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
          .isEqualTo(
              new BertShape(Sizes.of(30_522, 512, 6, 384, 1536, 12), 2, 1e-12f, Pooling.MEAN));
      model.write(out, TensorType.Q8_0, step -> {});
    }
    try (Gguf gguf = Gguf.open(out)) {
      assertThat(gguf.tensors()).hasSize(101);
      Tokens tokens = new Tokens();
      Tokenizers.of(gguf.metadata()).encode("Hello world", tokens);
      assertThat(Arrays.copyOf(tokens.ids(), tokens.size())).containsExactly(101, 7592, 2088, 102);
    }
  }
}
