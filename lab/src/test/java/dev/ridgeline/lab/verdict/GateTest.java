package dev.ridgeline.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.verdict.Gate.Result;
import org.junit.jupiter.api.Test;

/** What has no noise. */
class GateTest {
  @Test
  void anyDifferenceOfSteadyAmountsIsTold() {
    assertThat(amount(new double[] {5, 5}, new double[] {5, 5})).isEqualTo(Result.SAME);
    assertThat(amount(new double[] {5, 5}, new double[] {5.01, 5.01})).isEqualTo(Result.WORSE);
    assertThat(amount(new double[] {5, 5}, new double[] {4.99, 4.99})).isEqualTo(Result.LESS);
  }

  @Test
  void amountsThatScatterDifferOnlyWhereTheyNeverMeet() {
    assertThat(amount(new double[] {5, 7}, new double[] {6, 8})).isEqualTo(Result.VARIES);
    assertThat(amount(new double[] {5, 7}, new double[] {8, 9})).isEqualTo(Result.WORSE);
  }

  @Test
  void anotherOutputClosesTheGateUnlessAnArmHasSeveral() {
    assertThat(output("x", "x").failed()).isFalse();
    assertThat(output("x", "y").failed()).isTrue();
    Gate unsteady = Gate.output(new String[] {"x", "z"}, new String[] {"y", "y"});
    assertThat(unsteady.result()).isEqualTo(Result.VARIES);
    assertThat(unsteady.a()).isEqualTo("not the same in each trial");
  }

  private static Gate output(String a, String b) {
    return Gate.output(new String[] {a, a}, new String[] {b});
  }

  private static Result amount(double[] a, double[] b) {
    return Gate.amount("calls", a, b).result();
  }
}
