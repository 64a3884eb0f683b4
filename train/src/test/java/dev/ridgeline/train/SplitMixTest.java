package dev.ridgeline.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitMixTest {
  /** The first numbers of the reference code in C for the seed 1234567. */
  @Test
  void theNumbersAreThoseOfSplitMix64() {
    SplitMix random = new SplitMix(1234567);
    assertThat(random.next()).isEqualTo(6457827717110365317L);
    assertThat(random.next()).isEqualTo(3203168211198807973L);
    assertThat(Long.toUnsignedString(random.next())).isEqualTo("9817491932198370423");
  }

  @Test
  void theyGoOnFromTheStateThatWasKept() {
    SplitMix random = new SplitMix(7);
    for (int i = 0; i < 100; i++) random.gaussian();
    SplitMix other = new SplitMix(random.state());
    SplitMix third = new SplitMix(0);
    third.restore(random.state());
    for (int i = 0; i < 100; i++) {
      double next = random.gaussian();
      assertThat(other.gaussian()).isEqualTo(next);
      assertThat(third.gaussian()).isEqualTo(next);
    }
  }

  @Test
  void numbersBelowABoundAreAllAsLikely() {
    SplittableRandom seeds = new SplittableRandom(20261116);
    for (int bound : new int[] {1, 2, 3, 7, 10, 100}) {
      SplitMix random = new SplitMix(seeds.nextLong());
      int[] counts = new int[bound];
      int draws = 10_000 * bound;
      for (int i = 0; i < draws; i++) counts[random.below(bound)]++;
      // Five deviations of a count.
      for (int count : counts) assertThat((double) count).isCloseTo(10_000, within(500.0));
    }
    SplitMix random = new SplitMix(1);
    for (int i = 0; i < 1000; i++) {
      assertThat(random.below(Integer.MAX_VALUE)).isBetween(0, Integer.MAX_VALUE - 1);
    }
  }

  @Test
  void bellShapedNumbersHaveTheirMeanAndDeviation() {
    SplitMix random = SplitMix.of(1, 2, 3);
    int count = 200_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double number = random.gaussian();
      sum += number;
      squares += number * number;
    }
    assertThat(sum / count).isCloseTo(0, within(0.01));
    assertThat(squares / count).isCloseTo(1, within(0.02));
  }

  @Test
  void eachPurposeAndTurnHasNumbersOfItsOwn() {
    long[] firsts = {
      SplitMix.of(1, 0, 0).next(),
      SplitMix.of(2, 0, 0).next(),
      SplitMix.of(1, 1, 0).next(),
      SplitMix.of(1, 0, 1).next()
    };
    assertThat(firsts).doesNotHaveDuplicates();
    assertThat(SplitMix.of(1, 0, 1).next()).isEqualTo(firsts[3]);
  }
}
