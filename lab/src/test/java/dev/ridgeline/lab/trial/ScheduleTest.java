package dev.ridgeline.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rounds of arms whose trials take a second each, on a clock and a load that are made up. */
class ScheduleTest {
  private static final List<String> ARMS = List.of("a", "b", "c");
  private static final Schedule.Repeats REPEATS = new Schedule.Repeats(0, false);
  private final Order<String> order = new Order<>(ARMS, 1);
  private long now;
  private long others;

  private Host host() {
    return new Host(() -> now, () -> new MachineLoad(now / 10_000_000, others, 0, 0));
  }

  private Measured second() {
    now += 1_000_000_000L;
    return new Measured(new Reading(List.of(), Map.of(), Map.of(), ""), "");
  }

  private Schedule<String> schedule(double budget, Runner<String> runner) {
    Schedule<String> schedule = new Schedule<>(budget, REPEATS, runner, host());
    schedule.begin(0.5, 3);
    return schedule;
  }

  @Test
  void aRoundHasEveryArmOnceAndARoundThatIsCutShortCountsForNothing() throws Stopped {
    Schedule<String> schedule = schedule(5, (_, _, _, _) -> second());
    assertThat(schedule.round(order)).isTrue();
    assertThat(schedule.rounds().getFirst().keySet()).isEqualTo(Set.copyOf(ARMS));
    assertThat(schedule.round(order)).isFalse();
    assertThat(schedule.rounds()).hasSize(1);
    assertThat(schedule.trials()).hasSize(5);
    assertThat(schedule.trials().subList(3, 5)).noneMatch(Trial::counts);
    assertThat(schedule.left()).isZero();
  }

  @Test
  void ofTwoAttemptsTheLessDisturbedOneCounts() throws Stopped {
    Schedule<String> schedule =
        schedule(
            100,
            (_, number, _, _) -> {
              others += number == 2 ? 50 : number == 3 ? 30 : 0;
              return second();
            });
    schedule.round(order);
    assertThat(schedule.repeated()).isEqualTo(1);
    List<Trial<String>> trials = schedule.trials();
    assertThat(trials).extracting(Trial::attempt).containsExactly(1, 1, 2, 1);
    assertThat(trials).extracting(Trial::counts).containsExactly(true, false, true, true);
    assertThat(schedule.rounds().getFirst()).containsEntry(trials.get(2).arm(), trials.get(2));
  }

  @Test
  void aFailureCostsItsRoundAndIsKeptInTheRecord() throws Stopped {
    Schedule<String> schedule =
        schedule(
            100,
            (arm, number, _, _) -> {
              if (number == 5) throw new Failed(arm, new IllegalStateException("no luck"));
              return second();
            });
    schedule.round(order);
    assertThatThrownBy(() -> schedule.round(order)).isInstanceOf(Failed.class);
    assertThat(schedule.rounds()).hasSize(1);
    assertThat(schedule.trials().getLast().failure()).isEqualTo("no luck");
    assertThat(schedule.round(order)).isTrue();
    assertThat(schedule.trials().getLast().round()).isEqualTo(2);
  }

  @Test
  void pilotsCountForNothingUnlessTheyAreTakenForTheFirstRound() throws Stopped {
    Schedule<String> schedule = new Schedule<>(100, REPEATS, (_, _, _, _) -> second(), host());
    for (String arm : ARMS) schedule.pilot(arm);
    assertThat(schedule.trials()).noneMatch(Trial::counts).allMatch(trial -> trial.round() == 0);
    assertThat(schedule.rounds()).isEmpty();
    schedule.countPilots();
    assertThat(schedule.trials()).allMatch(Trial::counts).allMatch(trial -> trial.round() == 1);
    assertThat(schedule.rounds()).hasSize(1);
  }

  @Test
  void aTrialIsWaitedForAsLongAsThoseBeforeItSuggest() throws Stopped {
    double[] most = new double[2];
    Schedule<String> schedule =
        schedule(
            100,
            (_, number, _, mostSeconds) -> {
              most[number > 3 ? 1 : 0] = mostSeconds;
              return second();
            });
    schedule.round(order);
    schedule.round(order);
    assertThat(most).containsExactly(110, 10 + 10 * (1 + 0.5));
  }
}
