package dev.ridgeline.model.gemma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of a small EmbeddingGemma are those that llama.cpp made of the same file. */
class GemmaGoldenTest {
  private static final double BAR = 0.9999;
  private static final List<GoldenText> TEXTS = GoldenText.all();

  @TempDir private static Path folder;
  private static Path model;

  @BeforeAll
  static void write() {
    model = folder.resolve("gemma.gguf");
    SynthModel.write(
        SynthShape.EMBEDDINGGEMMA_TINY, TensorType.F32, SynthModel.SEED, model, _ -> {});
  }

  @Test
  void vectorsAreThoseOfLlamaCpp() {
    assertThat(TEXTS).hasSize(20);
    try (Embedder embedder = Embedder.open(model)) {
      for (GoldenText golden : TEXTS) {
        assertThat(golden.cosine(embedder.embed(golden.text())))
            .as(golden.text())
            .isGreaterThanOrEqualTo(BAR);
      }
    }
  }

  @Test
  void tokensAreThoseOfLlamaCpp() {
    try (Embedder embedder = Embedder.open(model)) {
      for (GoldenText golden : TEXTS) {
        Tokens tokens = new Tokens();
        embedder.tokenizer().encode(golden.text(), tokens);
        assertThat(tokens.ids()).as(golden.text()).isEqualTo(golden.tokens());
      }
      assertThat(TEXTS.getFirst().tokens()).hasSize(3);
      assertThat(TEXTS.getLast().tokens()).hasSize(122);
    }
  }

  /** A layer that sees one token more or less, or turns by other angles, is noticed. */
  @ParameterizedTest
  @CsvSource({
    "attention.sliding_window, 14",
    "attention.sliding_window, 18",
    "attention.sliding_window, 512",
    "attention.sliding_window_pattern, 5",
    "attention.sliding_window_pattern, 7",
    "rope.freq_base, 10000",
    "rope.freq_base_swa, 1000000"
  })
  void anotherWindowOrAngleGivesOtherVectors(String key, int value) {
    Path other = folder.resolve("other.gguf");
    Object typed = key.startsWith("rope") ? (Object) (float) value : (Object) value;
    try (Gguf file = Gguf.open(model)) {
      GgufWriter writer = new GgufWriter().putAll(file.metadata());
      writer.put("gemma-embedding." + key, typed);
      for (GgufTensor tensor : file.tensors()) {
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        writer.tensor(tensor.name(), tensor.type(), shape, GgufWriter.Source.of(tensor.data()));
      }
      writer.write(other);
    }
    GoldenText longest = TEXTS.getLast();
    try (Embedder embedder = Embedder.open(other)) {
      assertThat(longest.cosine(embedder.embed(longest.text()))).isLessThan(BAR);
    }
  }

  @Test
  void itIsCutToTheLengthsItWasTrainedForAlone() {
    for (int length : new int[] {1, 31, 63, 95, 97}) {
      assertThatThrownBy(() -> Embedder.open(model, EmbedderOptions.DEFAULT.withDimensions(length)))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining(length + " dimensions: ")
          .hasMessageEndingWith(" gives 96, 64, 32, 16");
    }
  }

  @Test
  void fewerDimensionsAreTheFirstOnesOfLengthOneAgain() {
    String text = TEXTS.getLast().text();
    try (Embedder whole = Embedder.open(model);
        Embedder cut = Embedder.open(model, EmbedderOptions.DEFAULT.withDimensions(32))) {
      float[] all = whole.embed(text);
      float[] first = cut.embed(text);
      assertThat(first).hasSize(32);
      double squares = 0;
      for (int i = 0; i < 32; i++) squares += (double) all[i] * all[i];
      for (int i = 0; i < 32; i++) {
        assertThat((double) first[i]).isCloseTo(all[i] / Math.sqrt(squares), within(1e-6));
      }
    }
  }
}
