package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
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
    assertThat(answer.headline()).startsWith("arm-1 wins: 0.50x (").endsWith("the rate of arm-0");
    assertThat(answer.facts()).extracting(Answer.Fact::name).contains("Again");
    assertThat(answer.tables().getFirst().rows().get(1).getLast()).startsWith("0.50x");
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
