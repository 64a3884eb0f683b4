package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Crossover.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CrossoverTest {
  private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16, 32);

  private static Crossover of(double... gains) {
    return known(0.05, gains);
  }

  /** Gains of fine over coarse, each known to within so much. */
  private static Crossover known(double within, double... gains) {
    List<Interval> intervals = new ArrayList<>();
    for (double gain : gains) intervals.add(new Interval(gain, gain - within, gain + within, 0.95));
    return Crossover.of("fine", "coarse", SIZES, intervals);
  }

  @Test
  void aSureChangeIsFoundBetweenItsNeighbours() {
    Crossover it = of(0.5, 0.2, -0.1, -0.2, -0.3, -0.3);
    assertThat(it.found()).isEqualTo(Found.CHANGES);
    assertThat(it.step()).isEqualTo(2);
    assertThat(it.words()).isEqualTo("fine is faster up to 2, coarse from 4 on");
    assertThat(it.place()).isBetween(2.0, 4.0);
  }

  @Test
  void whatIsNotSureWidensThePlace() {
    Crossover it = of(0.5, 0.2, 0.03, -0.03, -0.3, -0.3);
    assertThat(it.where()).isEqualTo("between 2 and 16");
    assertThat(it.words()).endsWith("not told apart at 4, 8");
    assertThat(it.step()).isEqualTo(3);
  }

  @Test
  void theOneThatIsFasterAtLargeSizesIsTheSecond() {
    Crossover it = of(-0.5, -0.2, 0.1, 0.2, 0.3, 0.3);
    assertThat(it.first()).isEqualTo("coarse");
    assertThat(it.second()).isEqualTo("fine");
    assertThat(it.step()).isEqualTo(2);
  }

  @Test
  void withoutAChangeOneIsFasterThroughout() {
    Crossover it = of(-0.1, -0.2, -0.2, -0.3, -0.3, -0.3);
    assertThat(it.found()).isEqualTo(Found.ONE_SIDED);
    assertThat(it.words()).isEqualTo("coarse is faster than fine throughout");
    assertThat(of(0, -0.2, -0.2, -0.3, -0.3, -0.3).words())
        .isEqualTo("coarse is faster than fine; not told apart at 1");
  }

  @Test
  void aChangeThatIsNotSureIsNotClaimedButAgrees() {
    Crossover unsure = of(0.5, 0.4, 0.3, 0.2, 0.1, -0.03);
    assertThat(unsure.words()).isEqualTo("fine is faster than coarse; not told apart at 32");
    assertThat(unsure.agrees(of(0.5, 0.4, 0.3, 0.2, 0.1, -0.1))).isTrue();
    assertThat(unsure.agrees(of(0.5, 0.4, 0.3, 0.2, 0.1, 0.1))).isTrue();
    assertThat(unsure.agrees(of(0.5, 0.4, -0.3, -0.2, -0.1, -0.1))).isFalse();
  }

  @Test
  void identicalOnesAreAlike() {
    Crossover it = of(0.01, -0.02, 0.01, 0, -0.01, 0.02);
    assertThat(it.found()).isEqualTo(Found.ALIKE);
    assertThat(it.place()).isNaN();
  }

  @Test
  void tooFewRoundsFindNothing() {
    assertThat(known(Double.POSITIVE_INFINITY, 0.5, 0.2, -0.1, -0.2, -0.3, -0.3).found())
        .isEqualTo(Found.ALIKE);
  }

  @Test
  void changesBackAndForthAreNoCrossover() {
    assertThat(of(0.5, -0.2, 0.2, -0.3, -0.3, -0.3).found()).isEqualTo(Found.SEVERAL);
  }

  @Test
  void runsAgreeToWithinOneSize() {
    Crossover one = of(0.5, 0.2, -0.1, -0.2, -0.3, -0.3);
    assertThat(one.agrees(of(0.5, 0.2, 0.1, -0.2, -0.3, -0.3))).isTrue();
    assertThat(one.agrees(of(0.5, -0.2, -0.1, -0.2, -0.3, -0.3))).isTrue();
    assertThat(one.agrees(of(0.5, 0.2, 0.1, 0.2, -0.3, -0.3))).isFalse();
    assertThat(one.agrees(of(-0.5, -0.2, 0.1, 0.2, 0.3, 0.3))).isFalse();
    Crossover alike = of(0.01, -0.02, 0.01, 0, -0.01, 0.02);
    assertThat(alike.agrees(of(0.01, -0.02, 0.01, 0, 0.01, -0.02))).isTrue();
    assertThat(alike.agrees(one)).isFalse();
  }

  @Test
  void plantedChangesAreFoundWithinOneSizeInNoise() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int near = 0;
    for (int t = 0; t < 200; t++) {
      int planted = 1 + random.nextInt(5);
      List<Interval> gains = new ArrayList<>();
      for (int i = 0; i < SIZES.size(); i++) {
        double[] rounds = new double[10];
        for (int r = 0; r < rounds.length; r++) {
          rounds[r] = 0.15 * (planted - 0.5 - i) + 0.08 * random.nextGaussian();
        }
        gains.add(HodgesLehmann.of(rounds, 0.95));
      }
      Crossover it = Crossover.of("fine", "coarse", SIZES, gains);
      if (it.second().equals("coarse") && Math.abs(it.step() - planted) <= 1) near++;
    }
    assertThat(near).as("seed %d", seed).isGreaterThanOrEqualTo(190);
  }
}
