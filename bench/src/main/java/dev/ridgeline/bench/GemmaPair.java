package dev.ridgeline.bench;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.oracle.LlamaEmbedder;
import dev.ridgeline.oracle.LlamaModel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** One EmbeddingGemma in two engines, ours and llama.cpp. */
final class GemmaPair implements AutoCloseable {
  private final Embedder ours;
  private final LlamaModel model;
  private final LlamaEmbedder theirs;

  GemmaPair(Path file) {
    ours = Embedder.open(file);
    model = LlamaModel.load(file);
    theirs = new LlamaEmbedder(model, ours.context());
  }

  /** A text of so many tokens, without those that frame it. */
  String text(int tokens, Random random) {
    return RandomText.of(ours, tokens, random);
  }

  /** llama.cpp's tokens of a text, which must be ours. */
  int[] tokens(String text) {
    int[] expected = model.tokenize(text, true, true);
    Tokens tokens = new Tokens();
    ours.tokenizer().encode(text, tokens);
    if (Arrays.equals(tokens.ids(), expected)) return expected;
    throw new IllegalStateException(
        "other tokens: %s, llama.cpp has %s%nof %s"
            .formatted(Arrays.toString(tokens.ids()), Arrays.toString(expected), text));
  }

  /** Our vector of a text. */
  float[] ours(String text) {
    return ours.embed(text);
  }

  /** llama.cpp's vector of tokens, of length 1. */
  float[] theirs(int[] tokens) {
    float[] vector = theirs.embed(tokens);
    double length = Math.sqrt(dot(vector, vector));
    for (int i = 0; i < vector.length; i++) vector[i] = (float) (vector[i] / length);
    return vector;
  }

  static double cosine(float[] a, float[] b) {
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += (double) a[i] * b[i];
    return sum;
  }

  @Override
  public void close() {
    theirs.close();
    model.close();
    ours.close();
  }
}
