package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
  private static final long SEED = 17;
  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(ints = {12, 20, 60, 200, 1000})
  void aPlantedWarmUpIsCutOffAndLittleMore(int n) {
    for (double share : new double[] {0.1, 0.3, 0.5, 0.6}) {
      int warm = (int) (share * n);
      int right = 0;
      for (int i = 0; i < 100; i++) {
        int from = WarmUp.settledFrom(noisy(n, at -> at < warm ? 1.5 : 1));
        if (from >= warm && from <= warm + Math.max(2, n / 10)) right++;
      }
      assertThat(right).as("%d of %d warm, seed %d", warm, n, SEED).isGreaterThan(90);
    }
  }

  @Test
  void aDecayingWarmUpIsCutOffWhereItNoLongerMatters() {
    int right = 0;
    for (int i = 0; i < 100; i++) {
      int from = WarmUp.settledFrom(noisy(200, at -> 1 + 2 * Math.exp(-at / 8.0)));
      // Within 5 % of the level after 30 samples, within 1 % after 42.
      if (from >= 20 && from <= 50) right++;
    }
    assertThat(right).as("seed %d", SEED).isGreaterThan(90);
  }

  @Test
  void aFirstSampleAloneIsWarmUp() {
    assertThat(WarmUp.settledFrom(new double[] {9, 5, 5, 5})).isEqualTo(1);
    assertThat(WarmUp.settledFrom(new double[] {9, 5, 5.01, 4.99, 5, 5.02, 5, 5.01})).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 20, 50, 200, 1000})
  void aFlatSeriesIsSteadyFromTheStart(int n) {
    int whole = 0;
    for (int i = 0; i < 1_000; i++) {
      if (WarmUp.settledFrom(noisy(n, at -> 1)) == 0) whole++;
    }
    assertThat(whole).as("of 1,000, seed %d", SEED).isGreaterThan(900);
    double[] constant = new double[n];
    Arrays.fill(constant, 3);
    assertThat(WarmUp.settledFrom(constant)).isZero();
    assertThat(WarmUp.settledFrom(new double[n])).isZero();
  }

  @Test
  void anOutlierAloneIsNoWarmUp() {
    for (int n : new int[] {10, 20, 35, 200}) {
      for (int at = Math.max(1, n / 20); at < n; at++) {
        double[] series = new double[n];
        Arrays.fill(series, 1);
        series[at] = 50;
        assertThat(WarmUp.settledFrom(series)).as("outlier at %d of %d", at, n).isZero();
      }
    }
  }

  @Test
  void aSlowDriftNeverSettles() {
    for (double slope : new double[] {-0.3, -0.1, 0.1, 0.3}) {
      int never = 0;
      for (int i = 0; i < 100; i++) {
        double[] series = noisy(200, at -> 1 + slope * at / 200, 0.01);
        if (WarmUp.settledFrom(series) == series.length) never++;
      }
      assertThat(never).as("slope %s, seed %d", slope, SEED).isGreaterThan(90);
    }
  }

  @Test
  void aDriftThatDoesNotMatterIsSteady() {
    double[] series = new double[100];
    Arrays.setAll(series, at -> 1 + 0.01 * at / 100);
    assertThat(WarmUp.settledFrom(series)).isZero();
  }

  @Test
  void aSlowPhaseLateIsNoWarmUp() {
    double[] series = new double[100];
    Arrays.setAll(series, at -> at >= 80 && at < 95 ? 2 : 1);
    assertThat(WarmUp.settledFrom(series)).isZero();
  }

  @Test
  void scaleAndDirectionDoNotMatter() {
    double[] series = noisy(60, at -> at < 12 ? 3 : 1);
    int from = WarmUp.settledFrom(series);
    assertThat(from).isBetween(12, 15);
    double[] scaled = Arrays.stream(series).map(v -> -v * 0x1p500).toArray();
    assertThat(WarmUp.settledFrom(scaled)).isEqualTo(from);
  }

  @Test
  void tooFewSamplesAreTakenAsTheyAre() {
    assertThat(WarmUp.settledFrom(new double[0])).isZero();
    assertThat(WarmUp.settledFrom(new double[] {9})).isZero();
    assertThat(WarmUp.settledFrom(new double[] {9, 1})).isZero();
    assertThat(WarmUp.settledFrom(new double[] {9, 1, 1})).isZero();
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WarmUp.settledFrom(new double[] {Double.NaN}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WarmUp.settledFrom(new double[] {1, 2, 3, Double.POSITIVE_INFINITY}));
  }

  private double[] noisy(int n, IntToDoubleFunction level) {
    return noisy(n, level, 0.02);
  }

  private double[] noisy(int n, IntToDoubleFunction level, double noise) {
    double[] series = new double[n];
    Arrays.setAll(series, i -> level.applyAsDouble(i) * Math.exp(noise * random.nextGaussian()));
    return series;
  }
}
