package dev.ridgeline.lab.tune;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures a model with few texts and with more, by each strategy that may be chosen. */
public final class TextBlock {
  /** Texts that are embedded at once at most. */
  public static final int MOST_TEXTS = 64;

  private static final int[] COUNTS = {2, 4, 8, 16, MOST_TEXTS};

  private TextBlock() {}

  /**
   * Measures now, in this process.
   *
   * @param texts as many as are embedded at once at most: {@value #MOST_TEXTS}
   */
  public static Block.Result run(Block block, Embedder embedder, List<String> texts) {
    float[] vectors = new float[Math.multiplyExact(texts.size(), embedder.dimensions())];
    var rounds = new Rounds<Strategy>(block.seed());
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, Double> weights = new LinkedHashMap<>();
    for (int count : COUNTS) {
      List<Strategy> ways = new ArrayList<>(List.of(chosen(embedder, count, block.base())));
      for (int value : block.values()) {
        Strategy way = chosen(embedder, count, block.base().with(block.tunable(), value));
        if (!ways.contains(way)) ways.add(way);
      }
      // Where all values come to the same, there is nothing to measure.
      if (ways.size() == 1) continue;
      List<String> some = texts.subList(0, count);
      requireSameVectors(embedder, some, vectors, ways);
      rounds.add(name(count), ways, way -> embedder.embed(some, vectors, way));
      counts.put(name(count), count);
      weights.put(name(count), 1.0 / COUNTS.length);
    }
    rounds.run(block.seconds());
    return rounds.result(
        block, weights, (part, tiling) -> chosen(embedder, counts.get(part), tiling));
  }

  private static void requireSameVectors(
      Embedder embedder, List<String> texts, float[] vectors, List<Strategy> ways) {
    float[] expected = null;
    for (Strategy way : ways) {
      embedder.embed(texts, vectors, way);
      if (expected == null) expected = vectors.clone();
      if (!Arrays.equals(vectors, expected)) {
        throw new IllegalStateException("other vectors with " + way.word());
      }
    }
  }

  private static Strategy chosen(Embedder embedder, int count, Tiling tiling) {
    return Strategy.AUTO.chosen(count, embedder.workers(), tiling);
  }

  private static String name(int count) {
    return count + " texts";
  }
}
