package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our vectors are those of ONNX Runtime, an engine that we did not write. */
class EmbedderAgainstOnnxTest {
  static Stream<RealModel> models() {
    return Stream.of(RealModel.MINILM, RealModel.BGE, RealModel.E5);
  }

  @ParameterizedTest
  @MethodSource("models")
  void vectorsAreThoseOfOnnxRuntime(RealModel model) throws Exception {
    List<String> texts = OddTexts.all();
    assertThat(texts).hasSizeGreaterThanOrEqualTo(200);
    EmbedderOptions options = EmbedderOptions.DEFAULT.withTruncation();
    try (Embedder exact = Embedder.open(model.gguf(TensorType.F32), options);
        Embedder quantized = Embedder.open(model.gguf(TensorType.Q8_0), options);
        OnnxOracle oracle = new OnnxOracle(model.onnx(), model.pooling())) {
      List<float[]> f32 = exact.embed(texts);
      List<float[]> q8 = quantized.embed(texts);
      int longest = 0;
      double worst = 1;
      double worstQuantized = 1;
      List<Double> cosines = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        int[] tokens = tokens(exact, texts.get(i));
        longest = Math.max(longest, tokens.length);
        double[] expected = oracle.embed(tokens);
        worst = Math.min(worst, cosine(expected, f32.get(i)));
        cosines.add(cosine(expected, q8.get(i)));
        worstQuantized = Math.min(worstQuantized, cosines.getLast());
      }
      double mean = cosines.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      System.out.printf(
          "%s: f32 worst %.8f, q8_0 mean %.6f, worst %.6f over %d texts%n",
          model.name(), worst, mean, worstQuantized, texts.size());
      assertThat(longest).as("tokens, some text is cut").isEqualTo(exact.context());
      assertThat(worst).as("f32, worst").isGreaterThanOrEqualTo(0.99999);
      assertThat(mean).as("q8_0, mean").isGreaterThanOrEqualTo(0.9995);
      assertThat(worstQuantized).as("q8_0, worst").isGreaterThanOrEqualTo(0.998);
    }
  }

  private static int[] tokens(Embedder embedder, String text) {
    Tokens tokens = new Tokens();
    embedder.tokenizer().encode(text, tokens);
    if (tokens.size() > embedder.context()) {
      tokens.truncate(embedder.context());
      tokens.set(embedder.context() - 1, embedder.tokenizer().last());
    }
    return tokens.ids();
  }

  private static double cosine(double[] expected, float[] actual) {
    double dot = 0;
    double length = 0;
    for (int i = 0; i < expected.length; i++) {
      dot += expected[i] * actual[i];
      length += (double) actual[i] * actual[i];
    }
    return dot / Math.sqrt(length);
  }
}
