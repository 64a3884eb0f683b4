package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ScalabilityTest {
  private static final double[] WORKERS = {1, 2, 4, 8, 16, 32};

  private static double[] throughput(Scalability law, double[] workers, double noise, Random by) {
    double[] reached = new double[workers.length];
    for (int i = 0; i < workers.length; i++) {
      reached[i] = law.at(workers[i]) * Math.exp(noise * by.nextGaussian());
    }
    return reached;
  }

  @Test
  void theLawIsFoundInWhatItMade() {
    Scalability law = new Scalability(120, 0.06, 0.0015);
    Scalability fit = Scalability.fit(WORKERS, throughput(law, WORKERS, 0, new Random(1)));
    assertThat(fit.lambda()).isCloseTo(120, within(1e-6));
    assertThat(fit.sigma()).isCloseTo(0.06, within(1e-9));
    assertThat(fit.kappa()).isCloseTo(0.0015, within(1e-9));
    assertThat(fit.peak()).isCloseTo(Math.sqrt(0.94 / 0.0015), within(1e-4));
  }

  @Test
  void theLawIsFoundInNoise() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int near = 0;
    for (int t = 0; t < 200; t++) {
      double sigma = 0.02 + 0.1 * random.nextDouble();
      double kappa = 0.003 * random.nextDouble();
      Scalability law = new Scalability(1, sigma, kappa);
      Scalability fit = Scalability.fit(WORKERS, throughput(law, WORKERS, 0.01, random));
      if (Math.abs(fit.sigma() - sigma) < 0.02 && Math.abs(fit.kappa() - kappa) < 0.0015) near++;
    }
    assertThat(near).as("seed %d", seed).isGreaterThanOrEqualTo(180);
  }

  @Test
  void idealScalingHasNoSerialPart() {
    Scalability fit = Scalability.fit(WORKERS, new double[] {1, 2, 4, 8, 16, 32});
    assertThat(fit.sigma()).isZero();
    assertThat(fit.kappa()).isZero();
    assertThat(fit.peak()).isInfinite();
  }

  @Test
  void moreThanIdealIsNoNegativeSerialPart() {
    Scalability fit = Scalability.fit(new double[] {1, 2, 4}, new double[] {1, 2.1, 4.4});
    assertThat(fit.sigma()).isGreaterThanOrEqualTo(0);
    assertThat(fit.kappa()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void twoNumbersOfWorkersAreAmdahl() {
    Scalability fit = Scalability.fit(new double[] {1, 2}, new double[] {10, 18});
    assertThat(fit.kappa()).isZero();
    // 2 / (1 + σ) = 1.8.
    assertThat(fit.sigma()).isCloseTo(2 / 1.8 - 1, within(1e-9));
  }

  @Test
  void oneNumberOfWorkersIsItself() {
    Scalability fit = Scalability.fit(new double[] {1}, new double[] {10});
    assertThat(fit).isEqualTo(new Scalability(10, 0, 0));
  }

  @Test
  void workersThatStandInEachOthersWayAreFitted() {
    Scalability fit = Scalability.fit(new double[] {1, 2}, new double[] {10, 7});
    assertThat(fit.at(2)).isCloseTo(7, within(1e-6));
  }

  @Test
  void countsThatDoNotMatchAreRefused() {
    assertThatThrownBy(() -> Scalability.fit(new double[] {1, 2}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 workers, 1 figures");
  }
}
