package dev.ridgeline.model.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.oracle.LlamaDecoder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerplexityTest {
  private static final String TEXT =
      "once upon a time there was a gardener who counted the tides and forgot the bridge";
  private static final GeneratorOptions EXACT =
      GeneratorOptions.DEFAULT.withWorkers(2).withCache(TensorType.F32);

  @TempDir static Path folder;
  private static Path model;

  @BeforeAll
  static void write() {
    model = folder.resolve("model.gguf");
    SynthModel.write(SynthShape.LLAMA_TINY, TensorType.F32, SynthModel.SEED, model, _ -> {});
  }

  /** The definition, from the logits of another engine: each window anew, each token once. */
  @Test
  void isWhatTheLogitsOfLlamaCppGive() {
    for (int[] each : new int[][] {{64, 0}, {16, 8}, {16, 15}, {9, 1}}) {
      int window = each[0];
      int stride = each[1] == 0 ? window / 2 : each[1];
      Perplexity ours = Perplexity.of(model, EXACT.withContext(window), TEXT, each[1]);
      double[] theirs = byLlamaCpp(window, stride);
      assertThat(ours.tokens()).isEqualTo((long) theirs[1]);
      assertThat(ours.loss()).isCloseTo(theirs[0], within(1e-3));
      assertThat(ours.stride()).isEqualTo(stride);
    }
  }

  private static double[] byLlamaCpp(int window, int stride) {
    int[] text;
    int first;
    try (Gguf file = Gguf.open(model)) {
      Tokenizer tokenizer = Tokenizers.of(file.metadata());
      Tokens tokens = new Tokens();
      tokenizer.encode(TEXT, false, false, tokens);
      text = tokens.ids();
      first = tokenizer.first();
    }
    assertThat(first).isNotNegative();
    double loss = 0;
    long count = 0;
    try (LlamaModel loaded = LlamaModel.load(model);
        LlamaDecoder decoder = new LlamaDecoder(loaded, window)) {
      for (int token = 0; token < text.length; token++) {
        // The first window that holds the token.
        int from = token < window - 1 ? 0 : (token - (window - 1)) / stride * stride + stride;
        int[] before = new int[token - from + 1];
        before[0] = first;
        System.arraycopy(text, from, before, 1, before.length - 1);
        decoder.clear();
        float[][] logits = decoder.decode(before);
        double sum = 0;
        for (float each : logits[before.length - 1]) sum += Math.exp(each);
        loss += Math.log(sum) - logits[before.length - 1][text[token]];
        count++;
      }
    }
    return new double[] {loss / count, count};
  }

  @Test
  void surpriseIsTheLogarithmOfTheSoftmax() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      float[] logits = new float[1 + random.nextInt(50)];
      for (int i = 0; i < logits.length; i++) logits[i] = (float) (20 * random.nextGaussian());
      int token = random.nextInt(logits.length);
      double sum = 0;
      for (float each : logits) sum += Math.exp((double) each - logits[token]);
      assertThat(Perplexity.surprise(logits, 0, logits.length, token))
          .as("seed %d, round %d", seed, round)
          .isCloseTo(Math.log(sum), within(1e-9));
    }
  }

  @Test
  void hugeLogitsDoNotOverflow() {
    assertThat(Perplexity.surprise(new float[] {3e38f, 3e38f}, 0, 2, 0))
        .isCloseTo(Math.log(2), within(1e-12));
  }

  @Test
  void whatCannotBeScoredIsRefused() {
    assertThatThrownBy(() -> Perplexity.of(model, EXACT.withContext(16), TEXT, 16))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("stride");
    assertThatThrownBy(() -> Perplexity.of(model, EXACT, "", 0))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("tokens");
  }
}
