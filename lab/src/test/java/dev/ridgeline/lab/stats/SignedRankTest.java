package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.PValueMethod;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.junit.jupiter.api.Test;

class SignedRankTest {
  private static final long SEED = 20261115;
  private final Random random = new Random(SEED);

  @Test
  void withoutTiesItAgreesWithCommonsStatistics() {
    var theirs = WilcoxonSignedRankTest.withDefaults().with(PValueMethod.EXACT);
    for (int n = 1; n <= 50; n++) {
      for (double centre : new double[] {0, 0.5, 2}) {
        double[] d = Noise.NORMAL.differences(random, n, centre);
        assertThat(SignedRank.test(d))
            .as("%d differences, seed %d", n, SEED)
            .isCloseTo(theirs.test(d).getPValue(), within(1e-9));
      }
    }
  }

  @Test
  void manyDifferencesAgreeWithTheNormalApproximationOfCommonsStatistics() {
    var theirs = WilcoxonSignedRankTest.withDefaults().with(PValueMethod.ASYMPTOTIC);
    for (int round = 0; round < 200; round++) {
      double[] d = coarse(80 + random.nextInt(200), 5 + random.nextInt(100), round % 2);
      for (int i = 0; i < d.length; i++) if (d[i] == 0) d[i] = 1;
      assertThat(SignedRank.test(d))
          .as("%s, seed %d", Arrays.toString(d), SEED)
          .isCloseTo(theirs.test(d).getPValue(), within(1e-9));
    }
  }

  @Test
  void manyDifferencesWithZerosAgreeWithTheFormulaOfPratt() {
    // Not with commons-statistics, which takes the zeros for a tie as well: left out, they are
    // none.
    for (int round = 0; round < 200; round++) {
      double[] d = coarse(100 + random.nextInt(100), 3 + random.nextInt(20), 1);
      assertThat(SignedRank.test(d))
          .as("%s, seed %d", Arrays.toString(d), SEED)
          .isCloseTo(byFormula(d), within(1e-9));
    }
  }

  @Test
  void tiesAndZerosAgreeWithEveryChoiceOfSignsTried() {
    for (int round = 0; round < 300; round++) {
      double[] d = coarse(1 + random.nextInt(12), 1 + random.nextInt(6), random.nextInt(3));
      assertThat(SignedRank.test(d))
          .as("%s, seed %d", Arrays.toString(d), SEED)
          .isCloseTo(byEnumeration(d), within(1e-9));
    }
  }

  @Test
  void exactAndApproximateMeetWhereOneGivesWayToTheOther() {
    for (double centre : new double[] {0, 0.3, 0.6}) {
      double[] d = Noise.NORMAL.differences(random, 51, centre);
      double[] shorter = Arrays.copyOf(d, 50);
      assertThat(SignedRank.test(d)).isCloseTo(exactly(d), within(5e-3));
      assertThat(SignedRank.test(shorter)).isEqualTo(exactly(shorter));
    }
  }

  @Test
  void nothingAndOnlyZerosAreNoEvidence() {
    assertThat(SignedRank.test(new double[0])).isEqualTo(1);
    assertThat(SignedRank.test(new double[] {0})).isEqualTo(1);
    assertThat(SignedRank.test(new double[] {0, -0.0, 0})).isEqualTo(1);
    assertThat(SignedRank.test(new double[] {-3})).isEqualTo(1);
    assertThat(SignedRank.test(new double[] {1, 2})).isEqualTo(0.5);
  }

  @Test
  void signAndOrderAndScaleDoNotMatter() {
    double[] d = {0.5, -0.1, 0.2, 0.9, 0, -0.3, 0.2};
    double p = SignedRank.test(d);
    assertThat(SignedRank.test(Arrays.stream(d).map(v -> -v).toArray())).isEqualTo(p);
    assertThat(SignedRank.test(Arrays.stream(d).map(v -> v * 0x1p900).toArray())).isEqualTo(p);
    assertThat(SignedRank.test(Arrays.stream(d).sorted().toArray())).isEqualTo(p);
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignedRank.test(new double[] {1, Double.NaN}))
        .withMessage("value 2 is NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignedRank.test(new double[] {Double.NEGATIVE_INFINITY}));
  }

  /** Whole numbers of a small range, so that many tie and some are zero. */
  private double[] coarse(int n, int range, int centre) {
    return random.ints(n, centre - range, centre + range + 1).asDoubleStream().toArray();
  }

  /** The exact test of differences without ties or zeros, of any number. */
  private static double exactly(double[] d) {
    return WilcoxonSignedRankTest.withDefaults().with(PValueMethod.EXACT).test(d).getPValue();
  }

  private static double byFormula(double[] d) {
    double n = d.length;
    double zeros = Arrays.stream(d).filter(v -> v == 0).count();
    double positive = 0;
    double ties = 0;
    for (double each : d) {
      double nearer = Arrays.stream(d).filter(v -> Math.abs(v) < Math.abs(each)).count();
      double tied = Arrays.stream(d).filter(v -> Math.abs(v) == Math.abs(each)).count();
      if (each > 0) positive += nearer + (tied + 1) / 2;
      if (each != 0) ties += tied * tied - 1;
    }
    double mean = (n * (n + 1) - zeros * (zeros + 1)) / 4;
    double squares = n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1);
    double variance = squares / 24 - ties / 48;
    double z = Math.max(0, Math.abs(positive - mean) - 0.5) / Math.sqrt(variance);
    return 2 * NormalDistribution.of(0, 1).survivalProbability(z);
  }

  private static double byEnumeration(double[] d) {
    double[] ranks = new double[d.length];
    double observed = 0;
    for (int i = 0; i < d.length; i++) {
      for (double other : d) {
        if (Math.abs(other) < Math.abs(d[i])) ranks[i]++;
        if (Math.abs(other) == Math.abs(d[i])) ranks[i] += 0.5;
      }
      ranks[i] = d[i] == 0 ? 0 : ranks[i] + 0.5;
      if (d[i] > 0) observed += ranks[i];
    }
    int below = 0;
    int above = 0;
    for (int signs = 0; signs < 1 << d.length; signs++) {
      double sum = 0;
      for (int i = 0; i < d.length; i++) if ((signs >> i & 1) == 1) sum += ranks[i];
      if (sum <= observed) below++;
      if (sum >= observed) above++;
    }
    return Math.min(1, 2.0 * Math.min(below, above) / (1 << d.length));
  }
}
