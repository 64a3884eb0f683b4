package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.LlamaEmbedder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that we make are files to llama.cpp, too: it loads them and means the same by them. */
class LlamaCppLoadsTest {
  private static final String TEXT = "Where does the time go? 42 % of it, naïvely, to waiting.";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"F32", "Q8_0", "Q4_0"})
  void whatIsImported(TensorType type) {
    assertSameVector(RealModel.MINILM.gguf(type), 30_522, 0.999);
  }

  @ParameterizedTest
  @CsvSource({
    "MINILM_L6, F32, 0.999",
    "MINILM_L6, Q4_0, 0.999",
    "EMBEDDINGGEMMA_TINY, F32, 0.999",
    "EMBEDDINGGEMMA_TINY, Q8_0, 0.999",
    "QWEN3_EMBEDDING_TINY, F32, 0.9999",
    "QWEN3_EMBEDDING_TINY, Q8_0, 0.999"
  })
  void whatIsMadeUp(SynthShape shape, TensorType type, double bar) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, type, SynthModel.SEED, model, _ -> {});
    assertSameVector(model, shape.architecture().vocabulary(), bar);
  }

  /** Not as near as elsewhere: it rounds what it multiplies to the blocks of the file. */
  private static void assertSameVector(Path model, int vocabulary, double bar) {
    try (Embedder ours = Embedder.open(model);
        LlamaModel loaded = LlamaModel.load(model);
        LlamaEmbedder theirs = new LlamaEmbedder(loaded, ours.context())) {
      assertThat(loaded.tokens()).isEqualTo(vocabulary);
      float[] expected = theirs.embed(loaded.tokenize(TEXT, true, true));
      double length = 0;
      for (float number : expected) length += (double) number * number;
      double cosine = 0;
      float[] actual = ours.embed(TEXT);
      for (int i = 0; i < actual.length; i++) cosine += expected[i] / Math.sqrt(length) * actual[i];
      assertThat(cosine).isGreaterThanOrEqualTo(bar);
    }
  }
}
