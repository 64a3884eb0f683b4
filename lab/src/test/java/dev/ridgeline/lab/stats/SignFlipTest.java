package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SignFlipTest {
  private static final long SEED = 8;
  private final Random random = new Random(SEED);

  @Test
  void itAgreesWithEveryChoiceOfSignsTriedWithoutRounding() {
    for (int round = 0; round < 60; round++) {
      int n = 1 + random.nextInt(10);
      // Tenths: sums that are equal on paper differ in their last bit.
      double[] d = random.ints(n, -5, 8).mapToDouble(i -> i / 10.0).toArray();
      assertThat(SignFlip.test(d))
          .as("%s, seed %d", Arrays.toString(d), SEED)
          .isCloseTo(byEnumeration(d), within(1e-9));
    }
  }

  @Test
  void fishersDarwinDataGiveFishersResult() {
    // Darwin's maize, crossed against self-fertilised, eighths of an inch; 1,726 of 32,768 choices.
    double[] maize = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    assertThat(SignFlip.test(maize)).isCloseTo(1726 / 32768.0, within(1e-9));
  }

  @Test
  void drawnSignsComeCloseToTheNormalLimit() {
    double[] many = Noise.NORMAL.differences(random, 100, 0.1);
    double sum = Math.abs(Arrays.stream(many).sum());
    double deviation = Math.sqrt(Arrays.stream(many).map(v -> v * v).sum());
    assertThat(SignFlip.test(many))
        .as("seed %d", SEED)
        .isCloseTo(2 * Normal.above(sum / deviation), within(5e-3));
  }

  @Test
  void theSameDrawsAreMadeEachTime() {
    double[] d = Noise.HEAVY.differences(random, 30, 0.5);
    assertThat(SignFlip.test(d)).isEqualTo(SignFlip.test(d));
  }

  @Test
  void nothingAndOnlyZerosAreNoEvidence() {
    assertThat(SignFlip.test(new double[0])).isEqualTo(1);
    assertThat(SignFlip.test(new double[100])).isEqualTo(1);
    assertThat(SignFlip.test(new double[] {-3})).isEqualTo(1);
    assertThat(SignFlip.test(new double[] {1, 2})).isEqualTo(0.5);
    assertThat(SignFlip.test(new double[] {1, 0, 2})).isEqualTo(0.5);
  }

  @Test
  void sumsThatWouldOverflowDoNot() {
    double huge = Double.MAX_VALUE;
    assertThat(SignFlip.test(new double[] {huge, huge, huge})).isEqualTo(0.25);
    double tiny = Double.MIN_VALUE;
    assertThat(SignFlip.test(new double[] {tiny, tiny, tiny})).isEqualTo(0.25);
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignFlip.test(new double[] {Double.POSITIVE_INFINITY}));
    assertThatIllegalArgumentException().isThrownBy(() -> SignFlip.test(new double[] {Double.NaN}));
  }

  private static double byEnumeration(double[] d) {
    BigDecimal[] decimal =
        Arrays.stream(d).mapToObj(BigDecimal::valueOf).toArray(BigDecimal[]::new);
    BigDecimal observed = Arrays.stream(decimal).reduce(BigDecimal.ZERO, BigDecimal::add).abs();
    int hits = 0;
    for (int signs = 0; signs < 1 << d.length; signs++) {
      BigDecimal sum = BigDecimal.ZERO;
      for (int i = 0; i < d.length; i++) {
        sum = (signs >> i & 1) == 1 ? sum.add(decimal[i]) : sum.subtract(decimal[i]);
      }
      if (sum.abs().compareTo(observed) >= 0) hits++;
    }
    return hits / (double) (1 << d.length);
  }
}
