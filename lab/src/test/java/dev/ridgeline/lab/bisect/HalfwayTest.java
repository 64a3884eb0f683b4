package dev.ridgeline.lab.bisect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.bisect.Halfway.End;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** The rule for one commit, and what all of them together may err. */
@Execution(CONCURRENT)
class HalfwayTest {
  @Test
  void looksAreFixedBeforehandAndErrTogetherNoMoreThanAllowed() {
    for (double error : new double[] {0.04, 0.009, 0.001, 1e-5}) {
      int fewest = Halfway.fewest(error);
      for (int rounds = fewest; rounds < 250; rounds++) {
        var looks = new Halfway(error, rounds).looks();
        assertThat(looks).isNotEmpty();
        assertThat(looks.getLast().rounds()).isEqualTo(rounds);
        assertThat(looks).isSortedAccordingTo((a, b) -> Integer.compare(a.rounds(), b.rounds()));
        double spent = looks.stream().mapToDouble(look -> (1 - look.confidence()) / 2).sum();
        assertThat(spent).as("%s, %d rounds", error, rounds).isLessThanOrEqualTo(error + 1e-12);
      }
    }
    assertThatThrownBy(() -> new Halfway(0.009, 5)).hasMessageContaining("too few");
  }

  @Test
  void aCommitAtAnEndIsHardlyEverTakenForTheOther() {
    double error = 0.01;
    int wrong = 0;
    int decided = 0;
    for (long seed = 0; seed < 2000; seed++) {
      // Hardly beside the middle: the hardest case in which one end is still the wrong one.
      End end = decide(new Halfway(error, 60), seed, -0.001, 0.05);
      if (end == End.BAD) wrong++;
      if (end != null) decided++;
    }
    assertThat(wrong).as("of %d decided", decided).isLessThanOrEqualTo((int) (2000 * error * 1.5));
  }

  @Test
  void theNearerEndIsFoundWhereHalfTheDifferenceIsAsLargeAsTheNoise() {
    int right = 0;
    for (long seed = 0; seed < 300; seed++) {
      if (decide(new Halfway(0.009, 60), seed, 0.05, 0.05) == End.BAD) right++;
    }
    assertThat(right).isGreaterThan(290);
  }

  private static End decide(Halfway rule, long seed, double centre, double spread) {
    Random random = new Random(seed);
    double[] places = new double[rule.rounds()];
    for (int n = 1; n <= places.length; n++) {
      places[n - 1] = centre + spread * random.nextGaussian();
      End end = rule.after(Arrays.copyOf(places, n));
      if (end != null) return end;
    }
    return null;
  }

  @Test
  void allStepsTogetherErrNoMoreThanAllowedHoweverManyThereAre() {
    for (int suspects : new int[] {1, 2, 3, 32, 33, 10_000}) {
      Allowance allowance = Allowance.among(suspects, 0.05);
      assertThat(allowance.spent(500)).as("%d suspects", suspects).isLessThanOrEqualTo(0.05);
      for (int step = 1; step < 40; step++) assertThat(allowance.of(step)).isPositive();
    }
    assertThat(Allowance.steps(1)).isZero();
    assertThat(Allowance.steps(2)).isEqualTo(1);
    assertThat(Allowance.steps(32)).isEqualTo(5);
    assertThat(Allowance.steps(33)).isEqualTo(6);
  }
}
