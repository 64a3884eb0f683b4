package dev.ridgeline.lab.bisect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.bisect.SimulatedMachine.Noise;
import dev.ridgeline.lab.bisect.Step.Outcome;
import dev.ridgeline.lab.document.ConsoleText;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Searches among commits on machines that are made up. */
@Execution(CONCURRENT)
class SearchTest {
  private static final int COMMITS = 32;
  private static final double MINUTES = 60;

  private static final Noise QUIET = (random, _) -> 0.005 * random.nextGaussian();

  /** A machine that gets slower and faster by a tenth, within minutes. */
  private static final Noise DRIFTS =
      (random, seconds) -> 0.1 * Math.sin(seconds / 30) + 0.015 * random.nextGaussian();

  /** Every process comes out in one of two modes that are 5 % apart. */
  private static final Noise TWO_MODES =
      (random, _) -> (random.nextBoolean() ? 0.025 : -0.025) + 0.01 * random.nextGaussian();

  /** Every fourth trial meets a neighbour, who takes up to a half more. */
  private static final Noise NEIGHBOURS =
      (random, seconds) ->
          0.05 * Math.sin(seconds / 100)
              + 0.02 * random.nextGaussian()
              + (random.nextInt(4) == 0 ? 0.4 * random.nextDouble() : 0);

  private record Tally(int right, int wrong, int other) {}

  private static Tally tally(int searches, Noise noise, double budget) {
    int right = 0;
    int wrong = 0;
    for (long seed = 0; seed < searches; seed++) {
      int planted = 1 + new Random(seed).nextInt(COMMITS);
      var machine = new SimulatedMachine(COMMITS, planted, 0.1, noise, seed);
      Bisection it = machine.search(budget, seed);
      if (it.answer() != Answer.FOUND) continue;
      if (it.commit().equals(machine.commit(planted))) right++;
      else wrong++;
    }
    return new Tally(right, wrong, searches - right - wrong);
  }

  @Test
  void aTenthIsFoundOnAQuietMachine() {
    assertThat(tally(20, QUIET, 5 * MINUTES)).isEqualTo(new Tally(20, 0, 0));
  }

  @Test
  void aTenthIsFoundAmongProcessesInTwoModes() {
    assertRight(40, tally(40, TWO_MODES, 10 * MINUTES));
  }

  @Test
  void aTenthIsFoundOnAMachineThatDrifts() {
    assertRight(40, tally(40, DRIFTS, 10 * MINUTES));
  }

  @Test
  void aTenthIsFoundOnAMachineWithNeighbours() {
    assertRight(10, tally(10, NEIGHBOURS, 20 * MINUTES));
  }

  private static void assertRight(int searches, Tally tally) {
    assertThat(tally.wrong()).as("%s", tally).isZero();
    assertThat(tally.right()).as("%s", tally).isGreaterThanOrEqualTo(searches * 19 / 20);
  }

  @Test
  void noTrialIsWaitedForMuchLongerThanTheBudget() {
    var machine = new SimulatedMachine(COMMITS, 21, 0.1, QUIET, 1);
    machine.search(5 * MINUTES, 1);
    assertThat(machine.longestWait).isEqualTo(5 * MINUTES + 10);
    assertThat(machine.shortestWait).isBetween(10.0, 20.0);
  }

  @Test
  void whatBecameFasterIsFoundAsWell() {
    var machine = new SimulatedMachine(COMMITS, 21, -0.1, QUIET, 1);
    Bisection it = machine.search(5 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.FOUND);
    assertThat(it.commit()).isEqualTo(machine.commit(21));
    assertThat(BisectionText.headline(it)).endsWith("made it faster");
  }

  @Test
  void endsThatDoNotDifferAreSaidToBeEqual() {
    Bisection it = new SimulatedMachine(COMMITS, 99, 0, QUIET, 1).search(5 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.NO_DIFFERENCE);
    assertThat(it.steps()).isEmpty();
    assertThat(it.commit()).isNull();
  }

  @Test
  void endsOnALoudMachineAreNotCalledEqual() {
    Noise loud = (random, _) -> 0.3 * random.nextGaussian();
    Bisection it = new SimulatedMachine(COMMITS, 99, 0, loud, 1).search(1 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.UNPROVEN);
    assertThat(BisectionText.why(it)).contains("--budget");
  }

  /** So loud that a quarter of the budget seldom tells even a half. */
  @Test
  void endsThatDoNotTellGetAllThatIsLeftBeforeTheyAreGivenUp() {
    Noise loud = (random, _) -> 0.5 * random.nextGaussian();
    int proven = 0;
    for (long seed = 0; seed < 20; seed++) {
      var machine = new SimulatedMachine(COMMITS, 9, 0.5, loud, seed);
      Bisection it = machine.search(1.5 * MINUTES, seed);
      if (it.answer() != Answer.UNPROVEN) {
        if (it.ends().budgetSeconds() > 0.5 * MINUTES) proven++;
        continue;
      }
      assertThat(it.tookSeconds())
          .as("seed %d", seed)
          .isBetween(0.5 * 1.5 * MINUTES, 1.05 * 1.5 * MINUTES);
      assertThat(it.ends().budgetSeconds()).as("seed %d", seed).isGreaterThan(1 * MINUTES);
      assertThat(BisectionText.headline(it))
          .startsWith("no proven difference between the ends: ")
          .endsWith(", not proven yet");
    }
    assertThat(proven).isPositive();
  }

  /** Trials are short, and many more than a first session has fit into the budget. */
  @Test
  void aSecondSessionOfTheEndsHasMorePairsThanTheFirst() {
    Noise loud = (random, _) -> 0.5 * random.nextGaussian();
    Bisection it = new SimulatedMachine(COMMITS, 9, 0.03, loud, 1).search(20 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.UNPROVEN);
    assertThat(it.ends().pairs()).isEqualTo(240);
  }

  @Test
  void commitsThatDoNotBuildAreSkipped() {
    var machine = new SimulatedMachine(COMMITS, 12, 0.1, QUIET, 1);
    for (int i = 14; i < 20; i++) machine.broken.add(i);
    Bisection it = machine.search(10 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.FOUND);
    assertThat(it.commit()).isEqualTo(machine.commit(12));
    assertThat(it.steps()).anyMatch(step -> step.outcome() == Outcome.UNUSABLE);
  }

  @Test
  void whatIsHiddenAmongThemIsToldAsARange() {
    var machine = new SimulatedMachine(COMMITS, 12, 0.1, QUIET, 1);
    for (int i = 11; i < 14; i++) machine.broken.add(i);
    Bisection it = machine.search(10 * MINUTES, 1);
    assertThat(it.answer()).isEqualTo(Answer.NARROWED);
    assertThat(it.left())
        .containsExactly(
            machine.commit(11), machine.commit(12), machine.commit(13), machine.commit(14));
    assertThat(ConsoleText.lines(BisectionDocument.of(it).keptIn("runs/x", "y")))
        .contains("  " + machine.commit(12).title(), "  Why     the others had to be skipped");
  }

  /** Half of the change in each of two commits: what lies between them is like neither end. */
  @Test
  void aCommitBetweenTheEndsIsTriedTwiceAndNeverGuessed() {
    var machine =
        new SimulatedMachine(2, 1, 0.05, QUIET, 1) {
          @Override
          double slower(int place) {
            return place * Math.log1p(0.05);
          }
        };
    Bisection it = machine.search(5 * MINUTES, 1);
    assertThat(it.steps()).hasSize(2).allMatch(step -> step.outcome() == Outcome.UNDECIDED);
    assertThat(it.answer()).isEqualTo(Answer.NARROWED);
    assertThat(it.left()).hasSize(2);
  }

  @Test
  void theBudgetIsKept() {
    for (long seed = 0; seed < 10; seed++) {
      var machine = new SimulatedMachine(COMMITS, 9, 0.1, NEIGHBOURS, seed);
      Bisection it = machine.search(4 * MINUTES, seed);
      assertThat(it.tookSeconds()).as("seed %d", seed).isLessThan(1.15 * 4 * MINUTES);
    }
  }
}
