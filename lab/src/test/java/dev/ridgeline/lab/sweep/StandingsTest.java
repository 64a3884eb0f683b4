package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of arms, whatever they are. */
class StandingsTest {
  private static Answer answer(PretendMachine machine, List<Arm> arms, boolean winner) {
    Sweep sweep = machine.sweep(arms, 120, winner, 1);
    return Standings.of(sweep.outcome(), sweep.metric(), sweep.winner(), 0.02);
  }

  @Test
  void aWinnerIsToldByHowMuchOfTheMetricItHas() {
    PretendMachine machine = new PretendMachine(1, 0.002);
    machine.better = Better.LOWER;
    machine.speed.put("arm-1", 2.0);
    Answer answer = answer(machine, PretendMachine.arms(3), true);
    assertThat(answer.headline())
        .startsWith("arm-1 wins: 0.50x (")
        .endsWith("the rate of arm-0, in fresh rounds of the two alone");
    String ratio = answer.tables().getFirst().rows().get(1).cells().getLast();
    assertThat(ratio).startsWith("0.50x").endsWith(", faster");
    assertThat(answer.facts().getFirst().name()).isEqualTo("First");
    assertThat(answer.facts().getFirst().text()).contains(ratio.replace(", faster", ""));
  }

  @Test
  void theReferenceIsSaidToBeBestWhereItIs() {
    PretendMachine machine = new PretendMachine(1, 0.002);
    machine.better = Better.LOWER;
    machine.speed.put("arm-1", 1 / 1.8);
    machine.speed.put("arm-2", 1 / 2.6);
    Answer answer = answer(machine, PretendMachine.arms(3), true);
    assertThat(answer.headline())
        .matches(
            "arm-0, the reference, is best by more than 2 %: arm-1 1\\.[78]\\dx \\(.*–.*\\), arm-2"
                + " 2\\.[56]\\dx \\(.*–.*\\) of its rate");
    assertThat(answer.tables().getFirst().rows())
        .extracting(row -> row.cells().getLast())
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("the reference"),
            second -> assertThat(second).endsWith(", slower"),
            third -> assertThat(third).endsWith(", slower"));
  }

  /** A machine that is twice as fast once only the best and the reference are left. */
  @Test
  void levelsAndRatiosAreOfTheRoundsThatAllArmsShare() {
    PretendMachine machine = new PretendMachine(1, 0.002);
    machine.speed.put("arm-1", 2.0);
    List<Arm> arms = PretendMachine.arms(3);
    Sweep[] sweep = new Sweep[1];
    Runner<Arm> faster =
        (arm, number, seconds, most) -> {
          boolean alone =
              sweep[0].outcome().rounds("arm-0", "arm-1") > sweep[0].outcome().rounds("arm-2") + 1;
          double real = machine.speed.getOrDefault(arm.name(), 1.0);
          if (alone) machine.speed.put(arm.name(), 2 * real);
          try {
            return machine.run(arm, number, seconds, most);
          } finally {
            machine.speed.put(arm.name(), real);
          }
        };
    var question = new Sweep.Question(arms, "arm-0", null, 0.02, 300, 1, Aim.WINNER, 0, false);
    sweep[0] = new Sweep(question, faster, (_, _) -> {}, machine.host());
    sweep[0].run();
    Outcome outcome = sweep[0].outcome();
    assertThat(outcome.rounds("arm-0")).isGreaterThan(outcome.rounds("arm-2") + 5);
    double one = outcome.level("arm-0", PretendMachine.RATE).estimate();
    double other = outcome.level("arm-2", PretendMachine.RATE).estimate();
    assertThat(Math.log(one / other)).isBetween(-0.02, 0.02);
    assertThat(outcome.values("arm-0", PretendMachine.RATE)).hasSize(outcome.rounds("arm-2"));
  }

  @Test
  void equalArmsAreNoRealWinner() {
    Answer answer = answer(new PretendMachine(2, 0.01), PretendMachine.arms(3), true);
    assertThat(answer.headline()).startsWith("no real winner: no arm is better than arm-0");
  }

  @Test
  void whoAsksForNoWinnerIsToldEachRatio() {
    Answer answer = answer(new PretendMachine(2, 0.001), PretendMachine.arms(6), false);
    assertThat(answer.headline())
        .startsWith("rate of 6 arms against arm-0: arm-1 1.00x")
        .endsWith("…");
  }

  @Test
  void oneArmIsToldByWhatItMeasured() {
    Answer answer = answer(new PretendMachine(2, 0.001), PretendMachine.arms(1), true);
    assertThat(answer.headline()).startsWith("rate: ").endsWith("1/s");
  }

  @Test
  void aNumberIsAnAxisWithALineForEachOfTheOtherParameters() {
    List<Arm> arms = new ArrayList<>();
    for (String kind : List.of("a", "b")) {
      for (int n = 1; n <= 64; n *= 4) {
        arms.add(new Arm(kind + n, Map.of("n", "" + n, "kind", kind, "same", "x")));
      }
    }
    Chart chart = answer(new PretendMachine(1, 0.01), arms, false).charts().getFirst();
    assertThat(chart.across()).isEqualTo(Scale.LOGARITHMIC);
    assertThat(chart.x()).isEqualTo("n");
    assertThat(chart.series()).extracting(Chart.Series::name).containsExactly("a", "b");
    assertThat(chart.series().getFirst().points())
        .extracting(Chart.Point::x)
        .containsExactly(1.0, 4.0, 16.0, 64.0);
    arms.add(new Arm("other", Map.of()));
    List<Chart> both = answer(new PretendMachine(1, 0.01), arms, false).charts();
    assertThat(both).extracting(Chart::across).containsExactly(Scale.LOGARITHMIC, Scale.NAMES);
    assertThat(both)
        .extracting(Chart::title)
        .containsExactly(
            "rate by n, 1/s (higher is better)", "rate of every arm, 1/s (higher is better)");
    assertThat(both).extracting(Chart::y).containsOnly("1/s");
  }

  @Test
  void aParameterThatCountsHasNoTicksBetween() {
    List<Arm> arms = new ArrayList<>();
    for (int n = 1; n <= 3; n++) arms.add(new Arm("n" + n, Map.of("n", "" + n)));
    Chart chart = answer(new PretendMachine(1, 0.01), arms, false).charts().getFirst();
    assertThat(chart.across()).isEqualTo(Scale.WHOLE);
  }
}
