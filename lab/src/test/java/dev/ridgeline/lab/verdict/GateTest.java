package dev.ridgeline.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.verdict.Gate.Result;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What has no noise. */
class GateTest {
  @Test
  void anyDifferenceOfSteadyAmountsIsTold() {
    assertThat(amount(all(5, 6), all(5, 3))).isEqualTo(Result.SAME);
    assertThat(amount(all(5, 6), all(5.01, 3))).isEqualTo(Result.WORSE);
    assertThat(amount(all(5, 6), all(4.99, 3))).isEqualTo(Result.LESS);
  }

  /** Equal code: one pair, in which a buffer happened to be allocated on side B. */
  @Test
  void amountsThatScatterAreNotExact() {
    assertThat(amount(new double[] {0.63, 2.25}, new double[] {24_144})).isEqualTo(Result.VARIES);
    assertThat(amount(new double[] {5, 5, 5, 7}, all(8, 6))).isEqualTo(Result.VARIES);
    assertThat(amount(new double[] {5, 7}, new double[] {6, 8})).isEqualTo(Result.VARIES);
  }

  @Test
  void aFewTrialsThatAgreeAreNotEnough() {
    Gate gate = Gate.amount("calls", all(5, 4), all(6, 2));
    assertThat(gate.result()).isEqualTo(Result.FEW);
    assertThat(gate.failed()).isFalse();
    assertThat(gate.word()).contains("too few trials");
    assertThat(Gate.output(new String[] {"x", "x"}, new String[] {"y"}).result())
        .isEqualTo(Result.FEW);
  }

  /** Seven trials beyond all of A, by more than trials differ among themselves, are no chance. */
  @Test
  void aRegressionFarBeyondTheSpreadIsTold() {
    double[] a = {5, 7, 6, 5, 5, 5, 6, 6, 6, 5, 5, 7, 6, 5};
    double[] b = {10, 11, 10, 10, 12, 11, 10};
    assertThat(amount(a, b)).isEqualTo(Result.WORSE);
    assertThat(amount(b, a)).isEqualTo(Result.LESS);
    assertThat(amount(a, Arrays.copyOf(b, 6))).isEqualTo(Result.VARIES);
    b[0] = 8.5;
    assertThat(amount(a, b)).isEqualTo(Result.VARIES);
  }

  @Test
  void anotherOutputClosesTheGateUnlessAnArmHasSeveral() {
    assertThat(output("x", "x").failed()).isFalse();
    assertThat(output("x", "y").failed()).isTrue();
    Gate unsteady = Gate.output(new String[] {"x", "z", "x"}, new String[] {"y", "y", "y"});
    assertThat(unsteady.result()).isEqualTo(Result.VARIES);
    assertThat(unsteady.a()).isEqualTo("not the same in each trial");
    assertThat(Gate.output("x", "y").failed()).isTrue();
  }

  private static Gate output(String a, String b) {
    return Gate.output(new String[] {a, a, a}, new String[] {b, b, b});
  }

  private static double[] all(double value, int count) {
    double[] all = new double[count];
    Arrays.fill(all, value);
    return all;
  }

  private static Result amount(double[] a, double[] b) {
    return Gate.amount("calls", a, b).result();
  }
}
