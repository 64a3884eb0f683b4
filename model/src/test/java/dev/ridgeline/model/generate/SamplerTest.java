package dev.ridgeline.model.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.shape.ModelException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final Sampling PLAIN = new Sampling(0, 1, 0, 1, 0, 1, 64, 1, List.of());

  private static int[] draws(Sampling sampling, float[] scores, int count) {
    Sampler sampler = new Sampler(scores.length);
    sampler.begin(sampling);
    int[] seen = new int[scores.length];
    for (int i = 0; i < count; i++) seen[sampler.next(scores.clone(), new int[0], 0)]++;
    return seen;
  }

  private static int one(Sampling sampling, float... scores) {
    Sampler sampler = new Sampler(scores.length);
    sampler.begin(sampling);
    return sampler.next(scores, new int[0], 0);
  }

  @Test
  void withoutTemperatureTheLikeliestIsTakenAndOfEqualsTheFirst() {
    assertThat(one(Sampling.GREEDY, -3, 2, 7, 7, 1)).isEqualTo(2);
    assertThat(one(Sampling.GREEDY, Float.NEGATIVE_INFINITY, -1)).isEqualTo(1);
  }

  @Test
  void drawsFollowTheProbabilities() {
    // Log-probabilities of 0.5, 0.3, 0.2.
    float[] scores = {(float) Math.log(0.5), (float) Math.log(0.3), (float) Math.log(0.2)};
    int[] seen = draws(PLAIN, scores, 100_000);
    assertThat(seen[0]).isBetween(49_000, 51_000);
    assertThat(seen[1]).isBetween(29_000, 31_000);
    int[] sharper = draws(PLAIN.withTemperature(0.5f), scores, 100_000);
    // Squares, so that they sum to one: 25, 9 and 4 of 38.
    assertThat(sharper[0]).isBetween(100_000 * 25 / 38 - 1_000, 100_000 * 25 / 38 + 1_000);
    assertThat(sharper[2]).isBetween(100_000 * 4 / 38 - 1_000, 100_000 * 4 / 38 + 1_000);
  }

  /** What may be drawn, found the plain way: sort, then cut three times. */
  private static TreeSet<Integer> allowed(Sampling sampling, float[] scores) {
    Comparator<Integer> order = Comparator.comparing(id -> -scores[id]);
    List<Integer> ids = IntStream.range(0, scores.length).boxed().sorted(order).toList();
    if (sampling.topK() > 0) ids = ids.subList(0, Math.min(sampling.topK(), ids.size()));
    double sum = ids.stream().mapToDouble(id -> Math.exp(scores[id])).sum();
    TreeSet<Integer> left = new TreeSet<>();
    double sofar = 0;
    for (int id : ids) {
      boolean enough = sofar >= sampling.topP() * sum;
      boolean unlikely = Math.exp(scores[id]) < sampling.minP() * Math.exp(scores[ids.getFirst()]);
      if (!left.isEmpty() && (enough || unlikely)) break;
      left.add(id);
      sofar += Math.exp(scores[id]);
    }
    return left;
  }

  @RepeatedTest(40)
  void limitsLeaveWhatAPlainSortLeaves(RepetitionInfo repetition) {
    int seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    int size = random.nextInt(2, 40);
    float[] scores = new float[size];
    for (int i = 0; i < size; i++) scores[i] = (float) random.nextDouble(-2, 2);
    Sampling sampling =
        PLAIN
            .withTemperature(random.nextBoolean() ? 1 : 20)
            .withTopK(random.nextInt(0, size + 3))
            .withTopP(random.nextBoolean() ? 1 : (float) random.nextDouble(0.05, 1))
            .withMinP(random.nextBoolean() ? 0 : (float) random.nextDouble(0, 0.9))
            .withSeed(seed);
    TreeSet<Integer> drawn = new TreeSet<>();
    int[] seen = draws(sampling, scores, 40_000);
    for (int id = 0; id < size; id++) if (seen[id] > 0) drawn.add(id);
    assertThat(drawn)
        .as("seed %d: %s of %s", seed, sampling, Arrays.toString(scores))
        .isEqualTo(allowed(sampling, scores));
  }

  @Test
  void recentTokensAreLoweredOnce() {
    Sampler sampler = new Sampler(4);
    sampler.begin(Sampling.GREEDY.withRepeatPenalty(2, 3));
    float[] scores = {8, 5, -1, 0};
    assertThat(sampler.next(scores, new int[] {1, 0, 0, 2}, 4)).isEqualTo(1);
    // Twice among the last three, lowered once; token 1 is not recent; below 0 it is multiplied.
    assertThat(scores).containsExactly(4, 5, -2, 0);
  }

  @Test
  void theSameSeedDrawsTheSame() {
    float[] scores = new float[1000];
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < scores.length; i++) scores[i] = (float) random.nextDouble();
    assertThat(draws(Sampling.DEFAULT, scores, 50)).isEqualTo(draws(Sampling.DEFAULT, scores, 50));
    assertThat(draws(Sampling.DEFAULT.withSeed(2), scores, 50))
        .isNotEqualTo(draws(Sampling.DEFAULT, scores, 50));
  }

  @Test
  void scoresThatAreNoNumbersAreRefused() {
    for (float[] scores :
        List.of(
            new float[] {1, Float.NaN, 3},
            new float[] {Float.NaN, 1},
            new float[] {Float.POSITIVE_INFINITY, 0},
            new float[] {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY})) {
      assertThatThrownBy(() -> one(Sampling.DEFAULT, scores.clone()))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("no numbers");
    }
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> PLAIN.withTemperature(-1)).hasMessageContaining("temperature");
    assertThatThrownBy(() -> PLAIN.withTemperature(Float.NaN)).hasMessageContaining("temperature");
    assertThatThrownBy(() -> PLAIN.withTopK(-1)).hasMessageContaining("top-k");
    assertThatThrownBy(() -> PLAIN.withTopP(0)).hasMessageContaining("top-p");
    assertThatThrownBy(() -> PLAIN.withTopP(1.1f)).hasMessageContaining("top-p");
    assertThatThrownBy(() -> PLAIN.withMinP(2)).hasMessageContaining("min-p");
    assertThatThrownBy(() -> PLAIN.withRepeatPenalty(0, 1)).hasMessageContaining("penalty");
    assertThatThrownBy(() -> PLAIN.withMaxTokens(-1)).hasMessageContaining("tokens");
    assertThatThrownBy(() -> PLAIN.withStop(List.of(""))).hasMessageContaining("stop");
  }
}
