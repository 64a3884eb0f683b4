package dev.ridgeline.bench;

import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** EmbeddingGemma's shape with random weights, here and in llama.cpp: are the vectors the same? */
public final class GemmaParity {
  private static final String MODEL = "synth:embeddinggemma-300m:f32";
  private static final double BAR = 0.9999;

  /** Those around 256 have tokens just inside and outside of a local layer's reach. */
  private static final int[] LENGTHS = {
    1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 200, 254, 255, 256, 257, 300, 400, 512, 600
  };

  private GemmaParity() {}

  /** Exits with 1 where a text is below the bar. */
  public static void main(String[] arguments) {
    String name = arguments.length > 0 ? arguments[0] : MODEL;
    Path file = Models.here().resolve(ModelName.of(name), Progress.SILENT);
    Random random = new Random(1);
    double worst = 1;
    double sum = 0;
    double alike = -1;
    List<float[]> vectors = new ArrayList<>();
    try (GemmaPair pair = new GemmaPair(file)) {
      for (int length : LENGTHS) {
        String text = pair.text(length, random);
        int[] tokens = pair.tokens(text);
        float[] vector = pair.ours(text);
        double cosine = GemmaPair.cosine(vector, pair.theirs(tokens));
        for (float[] other : vectors) alike = Math.max(alike, GemmaPair.cosine(vector, other));
        vectors.add(vector);
        System.out.printf("%4d tokens  %.8f%n", tokens.length, cosine);
        worst = Math.min(worst, cosine);
        sum += cosine;
      }
    }
    System.out.printf(
        "%s, %d texts: cosine to llama.cpp worst %.8f, mean %.8f; between texts at most %.4f%n",
        name, LENGTHS.length, worst, sum / LENGTHS.length, alike);
    if (!(worst >= BAR)) System.exit(1);
  }
}
