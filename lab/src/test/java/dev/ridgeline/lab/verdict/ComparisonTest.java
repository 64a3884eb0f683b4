package dev.ridgeline.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Metrics and scopes side by side. */
class ComparisonTest {
  @Test
  void oneScopeThatBecameSlowerIsFoundAmongManyThatDidNot() {
    Random random = new Random(7);
    List<Sides> all = new ArrayList<>();
    for (int i = 0; i < 60; i++)
      all.add(sides("scope " + i, Better.LOWER, i == 31 ? 1.1 : 1, random));
    List<Comparison> found =
        Comparison.of(all, 0.02).stream().filter(c -> c.verdict() == Verdict.SLOWER).toList();
    assertThat(found).extracting(Comparison::metric).containsExactly("scope 31");
    assertThat(found.getFirst().change()).isBetween(0.07, 0.13);
  }

  @Test
  void moreOfWhatIsBetterHigherIsFaster() {
    Random random = new Random(8);
    Comparison rate =
        Comparison.of(List.of(sides("rate", Better.HIGHER, 1.2, random)), 0.02).getFirst();
    assertThat(rate.verdict()).isEqualTo(Verdict.FASTER);
    assertThat(rate.ratio().low()).isPositive();
    Comparison size =
        Comparison.of(List.of(sides("size", Better.NEITHER, 1.2, random)), 0.02).getFirst();
    assertThat(size.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void whatHasNoRatiosIsLeftOut() {
    Sides zero =
        new Sides("bytes", "B", Better.LOWER, new double[2], new double[] {1, 1}, new double[2]);
    assertThat(zero.hasRatios()).isFalse();
    assertThat(Comparison.of(List.of(zero), 0.02)).isEmpty();
  }

  private static Sides sides(String name, Better better, double factor, Random random) {
    double[][] numbers = new double[3][16];
    for (int i = 0; i < 16; i++) {
      double moment = 1 + 0.2 * random.nextDouble();
      for (int arm = 0; arm < 3; arm++) {
        numbers[arm][i] = moment * (1 + 0.01 * random.nextGaussian()) * (arm == 2 ? factor : 1);
      }
    }
    return new Sides(name, "s", better, numbers[0], numbers[1], numbers[2]);
  }
}
