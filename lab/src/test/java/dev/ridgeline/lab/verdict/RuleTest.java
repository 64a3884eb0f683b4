package dev.ridgeline.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.verdict.Rule.Next;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** The rule on pairs that are made up, one by one and in thousands. */
@Execution(CONCURRENT)
class RuleTest {
  private static final int SESSIONS = 250;
  private static final Design DESIGN = new Design(0.02);

  @Test
  void twoEqualSidesAreSeldomCalledDifferent() {
    for (double spread : new double[] {0.005, 0.02, 0.05}) {
      for (int pairs : new int[] {12, 20, 40}) {
        int wrong =
            count(pairs, spread, 0, Verdict.FASTER) + count(pairs, spread, 0, Verdict.SLOWER);
        assertThat(wrong).as("%d pairs, %s", pairs, spread).isLessThanOrEqualTo(SESSIONS / 25);
      }
    }
  }

  @Test
  void aTenthIsFoundAmongTrialsThatScatterByFourHundredths() {
    assertThat(count(20, 0.04, Math.log(0.9), Verdict.SLOWER)).isGreaterThan(SESSIONS * 95 / 100);
    assertThat(count(20, 0.04, Math.log(1.1), Verdict.FASTER)).isGreaterThan(SESSIONS * 90 / 100);
  }

  @Test
  void aTwentiethIsFoundWhereTrialsScatterByTwoHundredths() {
    assertThat(count(24, 0.02, Math.log(0.95), Verdict.SLOWER)).isGreaterThan(SESSIONS * 80 / 100);
  }

  @Test
  void onAQuietMachineEqualSidesAreSaidToBeEqual() {
    assertThat(count(12, 0.005, 0, Verdict.NO_DIFFERENCE)).isGreaterThan(SESSIONS * 95 / 100);
  }

  /** What lies within the threshold must not be called a difference, however well it is seen. */
  @Test
  void aChangeThatDoesNotMatterIsNoDifference() {
    assertThat(count(40, 0.004, Math.log(1.01), Verdict.NO_DIFFERENCE)).isEqualTo(SESSIONS);
  }

  private static int count(int pairs, double spread, double effect, Verdict verdict) {
    SimulatedSession session = new SimulatedSession(new Design(0.02), pairs, spread, effect);
    int count = 0;
    for (long seed = 0; seed < SESSIONS; seed++) {
      if (session.run(seed).verdict() == verdict) count++;
    }
    return count;
  }

  /** A small budget must do for a large effect: four pairs that all say so, in two blocks. */
  @Test
  void aHalfIsFoundInSixPairsWhereTrialsScatterByATwentieth() {
    assertThat(count(6, 0.05, Math.log(1 / 1.5), Verdict.SLOWER))
        .isGreaterThan(SESSIONS * 95 / 100);
    assertThat(count(4, 0.03, Math.log(1 / 1.5), Verdict.SLOWER))
        .isGreaterThan(SESSIONS * 95 / 100);
  }

  @Test
  void aClearFirstBlockAsksForASecond() {
    Rule.Finding finding = Rule.after(DESIGN, pairs(3, -1, 0.1));
    assertThat(finding.next()).isEqualTo(Next.SECOND_BLOCK);
    assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    Rule.Finding agreed = Rule.after(DESIGN, pairs(10, 3, 0.1));
    assertThat(agreed.next()).isEqualTo(Next.STOP);
    assertThat(agreed.verdict()).isEqualTo(Verdict.FASTER);
    assertThat(agreed.effect().low()).isGreaterThan(Math.log1p(0.02));
  }

  /** Between two looks nothing is judged, however clear it seems. */
  @Test
  void aVerdictIsGivenAtALookOnly() {
    assertThat(Rule.after(DESIGN, pairs(9, 3, 0.1)).next()).isEqualTo(Next.MORE);
    assertThat(Rule.atEnd(DESIGN, pairs(9, 3, 0.1)).verdict()).isEqualTo(Verdict.FASTER);
  }

  @Test
  void aFreshBlockThatDoesNotAgreeTakesItBack() {
    double[] effects = new double[20];
    Arrays.fill(effects, 0, 16, 0.1);
    for (int i = 16; i < 20; i++) effects[i] = i % 2 == 0 ? 0.02 : -0.03;
    Rule.Pairs like = pairs(20, 16, 0);
    Rule.Finding finding =
        Rule.atEnd(DESIGN, new Rule.Pairs(effects, like.noises(), like.shares(), 16));
    assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.why()).contains("does not agree");
    assertThat(finding.next()).isEqualTo(Next.STOP);
  }

  @Test
  void withoutASecondBlockNothingIsProven() {
    Rule.Finding finding = Rule.atEnd(DESIGN, pairs(20, -1, 0.1));
    assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.why()).contains("no second one");
    finding = Rule.atEnd(DESIGN, pairs(20, 19, 0.1));
    assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.why()).contains("cut short after 1 of at least 2");
  }

  @Test
  void whatIsBelowTheNoiseFloorIsNotCalledADifference() {
    Rule.Pairs quiet = pairs(40, 20, 0.09);
    assertThat(Rule.atEnd(DESIGN, quiet).verdict()).isEqualTo(Verdict.FASTER);
    double[] loud = new double[40];
    for (int i = 0; i < 40; i++) loud[i] = 0.08 + 0.001 * i;
    Rule.Finding finding =
        Rule.atEnd(DESIGN, new Rule.Pairs(quiet.effects(), loud, quiet.shares(), 20));
    assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.why()).contains("noise floor");
  }

  @Test
  void tooFewPairsAreInconclusiveAndSayHowManyWouldDo() {
    for (int count = 0; count < 4; count++) {
      Rule.Finding finding = Rule.atEnd(DESIGN, pairs(count, -1, 0.3));
      assertThat(finding.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
      assertThat(finding.morePairs()).isGreaterThanOrEqualTo(Design.FEWEST_PAIRS - count);
    }
  }

  /** Pairs that scatter a little around an effect, twenty to the budget. */
  private static Rule.Pairs pairs(int count, int second, double effect) {
    double[] effects = new double[count];
    double[] noises = new double[count];
    double[] shares = new double[count];
    for (int i = 0; i < count; i++) {
      effects[i] = effect + 0.001 * (i % 5 - 2);
      noises[i] = 0.001 * (i % 7 - 3);
      shares[i] = (i + 1) / 20.0;
    }
    return new Rule.Pairs(effects, noises, shares, second);
  }
}
