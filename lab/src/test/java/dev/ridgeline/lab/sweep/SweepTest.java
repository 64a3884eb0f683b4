package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.sweep.Winner.Found;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.report.run.Metric.Better;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps over machines that are made up. */
@Execution(CONCURRENT)
class SweepTest {
  private static final int SWEEPS = 500;

  private static Map<Found, Integer> tally(int arms, double noise, double planted, Better better) {
    Map<Found, Integer> found = new TreeMap<>();
    for (int seed = 0; seed < SWEEPS; seed++) {
      PretendMachine machine = new PretendMachine(seed, noise);
      machine.better = better;
      machine.speed.put("arm-2", planted);
      double budget = arms > 8 ? 400 : 180;
      Winner winner = machine.sweep(PretendMachine.arms(arms), budget, true, 1000 + seed).winner();
      if (winner.real() && planted > 1)
        assertThat(winner.arm()).as("seed %d", seed).isEqualTo("arm-2");
      found.merge(winner.found(), 1, Integer::sum);
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({"4, 0.005", "4, 0.03", "8, 0.01", "8, 0.03", "20, 0.02"})
  void equalArmsHaveNoWinnerInNineteenOfTwenty(int arms, double noise) {
    Map<Found, Integer> found = tally(arms, noise, 1, Better.HIGHER);
    assertThat(found.getOrDefault(Found.WINNER, 0))
        .as("%s", found)
        .isLessThanOrEqualTo(SWEEPS / 20);
    assertThat(found.getOrDefault(Found.TOO_FEW, 0)).as("%s", found).isZero();
  }

  @ParameterizedTest
  @CsvSource({"8, 0.01, HIGHER", "8, 0.01, LOWER", "4, 0.02, HIGHER"})
  void aWinnerByTenPercentIsFoundAndTheRightOne(int arms, double noise, Better better) {
    Map<Found, Integer> found = tally(arms, noise, 1.1, better);
    assertThat(found.getOrDefault(Found.WINNER, 0)).as("%s", found).isGreaterThan(SWEEPS * 3 / 4);
  }

  @Test
  void manyArmsAreGivenEnoughRoundsToBeToldApart() {
    PretendMachine machine = new PretendMachine(1, 0.002);
    machine.startSeconds = 0.1;
    machine.speed.put("arm-2", 1.2);
    Sweep sweep = machine.sweep(PretendMachine.arms(30), 300, true, 1);
    assertThat(sweep.winner().found()).isEqualTo(Found.WINNER);
    assertThat(sweep.winner().arm()).isEqualTo("arm-2");
  }

  @Test
  void valuesOfTwoSizesAreNotKnownBecauseTheyAgree() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.twice = Map.of("arm-0", 50, "arm-1", 30);
    Sweep sweep = machine.sweep(PretendMachine.arms(2), 3600, true, 1);
    assertThat(sweep.rounds()).isGreaterThanOrEqualTo(60);
    machine.twice = Map.of("arm-0", 0, "arm-1", 0);
    sweep = machine.sweep(PretendMachine.arms(2), 3600, true, 1);
    assertThat(sweep.rounds()).as("all are equal").isLessThan(30);
  }

  @Test
  void roundsThatAreCountedAreSoWhereOneProvesItself() {
    PretendMachine machine = new PretendMachine(1, 0.001);
    machine.speed.put("arm-1", 1.3);
    List<Arm> arms = PretendMachine.arms(2);
    var question = new Sweep.Question(arms, "arm-0", null, 0.02, 86_400, 1, Aim.WINNER, 8, false);
    Sweep sweep = new Sweep(question, machine, (_, _) -> {}, machine.host());
    sweep.run();
    assertThat(sweep.winner().found()).isEqualTo(Found.WINNER);
    assertThat(sweep.rounds()).isEqualTo(8 + 8);
  }

  @Test
  void whatIsQuietEndsEarlyYetNotBeforeAWinnerCanBeTold() {
    PretendMachine machine = new PretendMachine(1, 0.0001);
    machine.speed.put("arm-2", 1.1);
    Sweep sweep = machine.sweep(PretendMachine.arms(8), 3600, true, 1);
    assertThat(sweep.took()).isLessThan(2000);
    assertThat(sweep.winner().found()).isEqualTo(Found.WINNER);
  }

  @Test
  void everyRoundHasEveryArmOnceAndPilotsCountForNothing() {
    Sweep sweep = new PretendMachine(3, 0.01).sweep(PretendMachine.arms(5), 120, false, 3);
    Map<Integer, Set<String>> rounds =
        sweep.outcome().trials().stream()
            .filter(Trial::counts)
            .collect(
                Collectors.groupingBy(
                    Trial::round,
                    Collectors.mapping(trial -> trial.arm().name(), Collectors.toSet())));
    assertThat(rounds).hasSize(sweep.rounds()).doesNotContainKey(0);
    assertThat(rounds.values()).allMatch(arms -> arms.size() == 5);
    assertThat(sweep.outcome().trials().subList(0, 5))
        .allMatch(trial -> trial.round() == 0 && !trial.counts());
    assertThat(sweep.winner()).isNull();
  }

  @Test
  void noArmHasTheBetterPlace() {
    Map<String, Integer> first = new HashMap<>();
    for (int seed = 0; seed < 200; seed++) {
      Sweep sweep = new PretendMachine(seed, 0.01).sweep(PretendMachine.arms(4), 60, false, seed);
      for (Trial<Arm> trial : sweep.outcome().trials()) {
        if (trial.round() > 0 && trial.place() == 1)
          first.merge(trial.arm().name(), 1, Integer::sum);
      }
    }
    int all = first.values().stream().mapToInt(n -> n).sum();
    assertThat(first.values()).as("%s", first).allMatch(n -> Math.abs(n - all / 4.0) < 0.1 * all);
  }

  @ParameterizedTest
  @ValueSource(doubles = {10, 60, 180, 600})
  void theBudgetIsKept(double budget) {
    for (int seed = 0; seed < 40; seed++) {
      PretendMachine machine = new PretendMachine(seed, 0.02);
      machine.speed.put("arm-1", 1 + 0.01 * seed);
      // An arm may take several times as long as another, the reference most of all.
      machine.slow.put("arm-0", seed % 2 * 3.0);
      machine.slow.put("arm-2", seed % 3 * 1.0);
      Sweep sweep = machine.sweep(PretendMachine.arms(3), budget, true, seed);
      double longest =
          sweep.outcome().trials().stream().mapToDouble(Trial::seconds).max().orElseThrow();
      assertThat(sweep.took()).as("seed %d", seed).isLessThanOrEqualTo(budget + longest);
      // Pilots of all arms are an answer, too.
      if (sweep.wouldTake() > 0) assertThat(sweep.rounds()).isBetween(0, 1);
      else assertThat(sweep.rounds()).as("seed %d", seed).isPositive();
      assertThat(sweep.outcome().rounds("arm-0", "arm-1", "arm-2"))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(sweep.rounds());
    }
  }

  @Test
  void anArmThatIsFarTooSlowEndsItBeforeTheOthersAreTried() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.slow.put("arm-2", 100.0);
    Sweep sweep = machine.sweep(PretendMachine.arms(6), 60, false, 1);
    assertThat(machine.ran).containsExactly("arm-0", "arm-1", "arm-2");
    assertThat(sweep.rounds()).isZero();
    assertThat(sweep.costs().get("arm-2")).isGreaterThan(100);
    assertThat(sweep.costs()).doesNotContainKey("arm-3");
  }

  @Test
  void whatPilotsShowToBeImpossibleIsNotBegun() {
    // Pilots fit into the budget; a round behind them does not.
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.obeys = false;
    machine.startSeconds = 13;
    Sweep sweep = machine.sweep(PretendMachine.arms(2), 40, false, 1);
    assertThat(machine.ran).hasSize(2);
    assertThat(sweep.wouldTake()).isPositive();
    assertThat(sweep.rounds()).isEqualTo(1);
    assertThat(sweep.outcome().values("arm-1", PretendMachine.RATE)).hasSize(1);
    assertThat(sweep.uncertainty()).isInfinite();
    // Nor need all arms and a round fit for the pilots to be run.
    PretendMachine many = new PretendMachine(1, 0.01);
    many.obeys = false;
    many.startSeconds = 6.5;
    assertThat(many.sweep(PretendMachine.arms(4), 40, false, 1).rounds()).isEqualTo(1);
    assertThat(many.ran).hasSize(4);
    PretendMachine alone = new PretendMachine(1, 0.01);
    alone.obeys = false;
    alone.startSeconds = 39;
    assertThat(alone.sweep(PretendMachine.arms(1), 40, false, 1).took()).isEqualTo(39);
  }

  @ParameterizedTest
  @CsvSource({"3, false", "3, true", "11, true", "1, false"})
  void theBudgetThatWouldDoDoes(int arms, boolean winner) {
    PretendMachine first = new PretendMachine(1, 0.01);
    first.startSeconds = 30;
    double enough = first.sweep(PretendMachine.arms(arms), 40, winner, 1).wouldTake();
    PretendMachine second = new PretendMachine(1, 0.01);
    second.startSeconds = 30;
    second.speed.put("arm-0", 1.5);
    Sweep sweep = second.sweep(PretendMachine.arms(arms), enough, winner, 1);
    assertThat(sweep.uncertainty()).as("%s s", enough).isFinite();
  }

  @Test
  void wherePilotsRanTheSameCodeAnArmIsLeftOut() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.plan.put("arm-0", "same");
    machine.plan.put("arm-2", "same");
    Sweep.Question question =
        new Sweep.Question(PretendMachine.arms(4), "arm-0", null, 0.02, 60, 1, Aim.EACH, 0, true);
    Sweep sweep = new Sweep(question, machine, (_, _) -> {}, machine.host());
    sweep.run();
    assertThat(sweep.leftOut()).extracting(Arm::name).containsExactly("arm-2");
    assertThat(machine.ran.stream().filter("arm-2"::equals)).hasSize(1);
    assertThat(sweep.outcome().arms())
        .extracting(Arm::name)
        .containsExactly("arm-0", "arm-1", "arm-3");
    assertThat(sweep.outcome().samePlans()).isEmpty();
    assertThat(sweep.outcome().rounds("arm-0", "arm-1", "arm-3")).isEqualTo(sweep.rounds());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theReferenceIsBestOnlyWhereEveryOtherIsWorseForSure(boolean all) {
    int best = 0;
    for (int seed = 0; seed < 100; seed++) {
      PretendMachine machine = new PretendMachine(seed, 0.01);
      machine.speed.put("arm-0", 1.3);
      if (!all) machine.speed.put("arm-2", 1.3);
      Winner winner = machine.sweep(PretendMachine.arms(4), 180, true, seed).winner();
      if (winner.found() != Found.REFERENCE) continue;
      best++;
      assertThat(winner.arm()).isEqualTo("arm-0");
      assertThat(winner.first().high()).isLessThan(-Math.log1p(0.02));
    }
    if (all) assertThat(best).isGreaterThan(90);
    else assertThat(best).isLessThanOrEqualTo(2);
  }

  @Test
  void wherePilotsLeaveTooFewRoundsForAWinnerAllOfTheTimeIsTheirs() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.obeys = false;
    machine.startSeconds = 1.4;
    Sweep sweep = machine.sweep(PretendMachine.arms(6), 40, true, 1);
    assertThat(sweep.winner().found()).isEqualTo(Found.TOO_FEW);
    assertThat(sweep.rounds()).isEqualTo(3);
    assertThat(sweep.left()).isLessThan(sweep.schedule().roundSeconds());
  }

  @Test
  void whereNothingGetsQuieterNothingIsRepeated() {
    PretendMachine always = new PretendMachine(1, 0.05);
    always.busy = true;
    always.calmEvery = 0;
    assertThat(always.sweep(PretendMachine.arms(4), 180, false, 1).schedule().repeated()).isZero();
    PretendMachine later = new PretendMachine(1, 0.05);
    Runner<Arm> soon =
        (arm, number, seconds, most) -> {
          later.busy = number > 4;
          later.calmEvery = 0;
          return later.run(arm, number, seconds, most);
        };
    Sweep.Question question =
        new Sweep.Question(PretendMachine.arms(4), "arm-0", null, 0.02, 180, 1, Aim.EACH, 0, false);
    Sweep sweep = new Sweep(question, soon, (_, _) -> {}, later.host());
    sweep.run();
    assertThat(sweep.schedule().repeated()).isEqualTo(2);
  }

  @Test
  void commandsThatHeedNoSecondsFillTheBudgetAllTheSame() {
    PretendMachine quick = new PretendMachine(1, 0.1);
    quick.obeys = false;
    quick.startSeconds = 0.05;
    Sweep many = quick.sweep(PretendMachine.arms(4), 60, false, 1);
    assertThat(many.rounds()).isEqualTo(60);
    PretendMachine slow = new PretendMachine(1, 0.1);
    slow.obeys = false;
    slow.startSeconds = 10;
    Sweep few = slow.sweep(PretendMachine.arms(4), 600, false, 1);
    assertThat(few.rounds()).isEqualTo(14);
    assertThat(few.took()).isLessThanOrEqualTo(600);
  }

  @Test
  void whatIsASmallPartNeedsNotBeKnownWell() {
    assertThat(roundsOfAPartByATenth(Aim.PARTS)).isBetween(6, 20);
    assertThat(roundsOfAPartByATenth(Aim.EACH)).isEqualTo(60);
  }

  /** Rounds of an arm that takes a tenth of the reference, give or take a third. */
  private static int roundsOfAPartByATenth(Aim aim) {
    PretendMachine machine = new PretendMachine(1, 0.15);
    machine.better = Better.LOWER;
    machine.speed.put("arm-1", 10.0);
    var question =
        new Sweep.Question(PretendMachine.arms(2), "arm-0", null, 0.1, 3600, 1, aim, 0, false);
    Sweep sweep = new Sweep(question, machine, (_, _) -> {}, machine.host());
    sweep.run();
    return sweep.rounds();
  }

  @Test
  void aFirstTrialThatIsVerySlowDoesNotCostRounds() {
    PretendMachine machine = new PretendMachine(1, 0.05);
    Sweep.Question question =
        new Sweep.Question(PretendMachine.arms(3), "arm-0", null, 0.02, 120, 1, Aim.EACH, 0, false);
    Runner<Arm> first =
        (arm, number, seconds, most) -> {
          if (number == 1) machine.nanos += 40_000_000_000L;
          return machine.run(arm, number, seconds, most);
        };
    Sweep sweep = new Sweep(question, first, (_, _) -> {}, machine.host());
    sweep.run();
    assertThat(sweep.rounds()).isGreaterThanOrEqualTo(6);
    assertThat(sweep.took()).isLessThanOrEqualTo(125);
  }

  @Test
  void aBudgetThatPilotsAloneSpendIsTooShortAndWhatItTakesIsSaid() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    machine.startSeconds = 30;
    Sweep sweep = machine.sweep(PretendMachine.arms(11), 40, false, 1);
    assertThat(sweep.rounds()).isZero();
    assertThat(sweep.took()).isLessThan(75);
    assertThat(sweep.wouldTake()).isBetween(3000.0, 4000.0);
  }

  @Test
  void oneArmAloneIsMeasuredUntilItIsKnown() {
    Sweep sweep = new PretendMachine(1, 0.0005).sweep(PretendMachine.arms(1), 3600, true, 1);
    assertThat(sweep.rounds()).isBetween(6, 60);
    assertThat(sweep.winner().found()).isEqualTo(Found.NONE);
    assertThat(sweep.outcome().level("arm-0", PretendMachine.RATE).bounded()).isTrue();
  }

  @Test
  void whatIsDisturbedIsRepeatedWithinBoundsAndTheCalmerCounts() {
    PretendMachine machine = new PretendMachine(1, 0.05);
    machine.busy = true;
    Sweep sweep = machine.sweep(PretendMachine.arms(4), 180, false, 1);
    assertThat(sweep.schedule().repeated())
        .isPositive()
        .isLessThanOrEqualTo((int) Math.ceil(0.25 * sweep.outcome().trials().size()));
    List<Trial<Arm>> trials = sweep.outcome().trials();
    for (int i = 5; i < trials.size(); i++) {
      Trial<Arm> one = trials.get(i - 1);
      Trial<Arm> two = trials.get(i);
      if (one.round() != two.round() || !one.arm().equals(two.arm())) continue;
      assertThat(one.counts()).isNotEqualTo(two.counts());
      Trial<Arm> kept = one.counts() ? one : two;
      Trial<Arm> not = one.counts() ? two : one;
      assertThat(kept.disturbance().extent()).isLessThanOrEqualTo(not.disturbance().extent());
    }
    assertThat(sweep.outcome().rounds("arm-0", "arm-1", "arm-2", "arm-3"))
        .isEqualTo(sweep.rounds());
  }

  @Test
  void whoStopsItKeepsWholeRounds() {
    for (int after = 0; after < 60; after++) {
      PretendMachine machine = new PretendMachine(7, 0.02);
      machine.stopAfter = after;
      machine.speed.put("arm-1", 1.5);
      Sweep sweep = machine.sweep(PretendMachine.arms(3), 120, true, 7);
      int rounds = sweep.rounds();
      Outcome outcome = sweep.outcome();
      assertThat(outcome.rounds("arm-0")).as("stopped after %d", after).isEqualTo(rounds);
      assertThat(outcome.rounds("arm-1")).as("stopped after %d", after).isEqualTo(rounds);
      assertThat(outcome.values("arm-0", PretendMachine.RATE))
          .hasSameSizeAs(outcome.values("arm-2", PretendMachine.RATE));
      if (after < 6) assertThat(rounds).isZero();
      // Nobody wins who has not proved it in fresh rounds.
      if (sweep.stopped() && sweep.winner() != null && sweep.winner().real()) {
        assertThat(sweep.winner().again().bounded()).isTrue();
      }
    }
  }

  @Test
  void aPilotThatFailsEndsItBeforeOthersAreWaitedFor() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    Runner<Arm> failing =
        (arm, number, seconds, most) -> {
          if (arm.name().equals("arm-3")) throw new IllegalStateException("arm-3: no such option");
          return machine.run(arm, number, seconds, most);
        };
    Sweep.Question question =
        new Sweep.Question(
            PretendMachine.arms(8), "arm-0", null, 0.02, 600, 1, Aim.WINNER, 0, false);
    Sweep sweep = new Sweep(question, failing, (_, _) -> {}, machine.host());
    assertThatThrownBy(sweep::run).hasMessage("arm-3: no such option");
    assertThat(machine.ran).containsExactly("arm-0", "arm-1", "arm-2");
  }

  @Test
  void aTrialThatFailsLaterCostsItsRoundAndNotThoseBefore() {
    for (int fails = 1; fails < 40; fails++) {
      int at = fails;
      PretendMachine machine = new PretendMachine(7, 0.02);
      machine.speed.put("arm-1", 1.5);
      Runner<Arm> failing =
          (arm, number, seconds, most) -> {
            if (number == at) throw new Failed(arm.name(), new IllegalStateException("no luck"));
            return machine.run(arm, number, seconds, most);
          };
      Sweep.Question question =
          new Sweep.Question(
              PretendMachine.arms(3), "arm-0", null, 0.02, 120, 7, Aim.WINNER, 0, false);
      Sweep sweep = new Sweep(question, failing, (_, _) -> {}, machine.host());
      // Three pilots and the first round.
      if (at <= 6) {
        assertThatThrownBy(sweep::run).isInstanceOf(Failed.class).hasMessageEndingWith("no luck");
        continue;
      }
      sweep.run();
      assertThat(sweep.failure()).as("at %d", at).endsWith(": no luck");
      assertThat(sweep.stopped()).isTrue();
      Outcome outcome = sweep.outcome();
      assertThat(sweep.rounds()).isPositive();
      assertThat(outcome.values("arm-0", PretendMachine.RATE)).hasSize(sweep.rounds());
      assertThat(outcome.values("arm-1", PretendMachine.RATE)).hasSize(sweep.rounds());
      assertThat(outcome.trials()).hasSize(at - 1);
    }
  }

  @Test
  void theSameSeedRunsTheSameOrder() {
    PretendMachine one = new PretendMachine(1, 0.01);
    PretendMachine two = new PretendMachine(1, 0.01);
    one.sweep(PretendMachine.arms(5), 60, true, 42);
    two.sweep(PretendMachine.arms(5), 60, true, 42);
    assertThat(one.ran).isEqualTo(two.ran);
  }

  @Test
  void armsOfOneNameOrAReferenceThatIsNoneAreRefused() {
    List<Arm> arms = PretendMachine.arms(2);
    assertThatThrownBy(
            () -> new Sweep.Question(arms, "arm-9", null, 0.02, 1, 1, Aim.WINNER, 0, false))
        .hasMessageContaining("no arm 'arm-9'");
    List<Arm> twice = List.of(arms.getFirst(), arms.getFirst());
    assertThatThrownBy(
            () -> new Sweep.Question(twice, "arm-0", null, 0.02, 1, 1, Aim.WINNER, 0, false))
        .hasMessageContaining("two arms of one name");
  }
}
