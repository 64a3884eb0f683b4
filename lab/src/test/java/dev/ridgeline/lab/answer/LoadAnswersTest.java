package dev.ridgeline.lab.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.Part;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.stats.Scalability;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.report.run.Metric.Better;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is concluded where the truth is known. */
class LoadAnswersTest {
  private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16, 32);

  private static final String TIME = "time of one";

  private static String figure(int size, String name) {
    return "calls of %d: %s".formatted(size, name);
  }

  private static String token(int position) {
    return "a token at " + position;
  }

  private static Arm arm(String strategy) {
    return new Arm(
        strategy, Map.of(StrategiesAnswer.STRATEGY, strategy, StrategiesAnswer.WORKERS, "2"));
  }

  private static Simulated strategies(double noise) {
    Simulated truth = new Simulated(1, noise);
    double[][] speeds = {
      {300, 300, 300, 300, 300, 300}, {180, 250, 400, 480, 500, 510}, {300, 350, 380, 390, 400, 400}
    };
    List<String> names = List.of("fine", "coarse", "packed");
    for (int s = 0; s < names.size(); s++) {
      for (int i = 0; i < SIZES.size(); i++) {
        Arm arm = arm(names.get(s));
        int size = SIZES.get(i);
        truth.is(arm, figure(size, "embedded"), "texts/s", Better.HIGHER, speeds[s][i]);
        truth.is(arm, figure(size, "p50"), "ms", Better.LOWER, 1e3 * size / speeds[s][i]);
      }
    }
    return truth;
  }

  @Test
  void theFastestStrategyOfEachSizeIsTheFirstLine() {
    Answer answer =
        new StrategiesAnswer(strategies(0.005).outcome(12), SIZES, LoadAnswersTest::figure)
            .answer();
    assertThat(answer.headline())
        .isEqualTo(
            "Fastest with 2 workers: fine or packed for 1 text, packed for 2, coarse for 4–32 at a"
                + " time");
    assertThat(answer.facts().stream().map(Fact::text))
        .containsExactly(
            "fine is faster up to 2, coarse from 4 on",
            "packed is faster than fine; not told apart at 1",
            "packed is faster up to 2, coarse from 4 on");
    assertThat(answer.charts().getFirst().marks()).hasSize(2);
  }

  @Test
  void fewRoundsTellNothingApart() {
    Answer answer =
        new StrategiesAnswer(strategies(0.005).outcome(4), SIZES, LoadAnswersTest::figure).answer();
    assertThat(answer.headline())
        .isEqualTo("Fastest with 2 workers: not told apart for 1–32 texts");
    assertThat(answer.tables().get(1).rows())
        .extracting(row -> row.cells().get(1))
        .containsOnly("not told apart");
  }

  private static Answer scaling(Scalability law, int... workers) {
    Simulated truth = new Simulated(2, 0.01);
    for (int n : workers) {
      Arm arm = new Arm("workers-" + n, Map.of(ScalingAnswer.WORKERS, "" + n));
      truth.is(arm, "embedded", "texts/s", Better.HIGHER, law.at(n));
    }
    return new ScalingAnswer(truth.outcome(12), "embedded").answer();
  }

  @Test
  void speedUpEfficiencyAndSerialPartHaveIntervals() {
    Answer answer = scaling(new Scalability(100, 0.05, 0.001), 1, 2, 4, 8, 16);
    assertThat(answer.headline())
        .matches("16 workers are .*x \\(.*–.*\\) as fast as 1: efficiency \\d+ % \\(\\d+–\\d+\\)");
    assertThat(answer.facts().getFirst().text())
        .matches(
            "serial fraction [3-7]\\.\\d % \\(.*–.*\\), cost of agreeing 0\\.\\d+ % \\(.*\\).*");
    assertThat(answer.tables().getFirst().rows().getFirst().cells()).contains("1x");
    assertThat(answer.charts()).hasSize(2);
  }

  @Test
  void workersThatHinderEachOtherAreNotCalledFaster() {
    Answer answer = scaling(new Scalability(100, 1.4, 0), 1, 2);
    assertThat(answer.headline()).endsWith("not faster for sure");
    assertThat(answer.facts().getFirst().text()).startsWith("more workers are slower");
  }

  @Test
  void oneNumberOfWorkersIsNoComparison() {
    Answer answer = scaling(new Scalability(100, 0, 0), 1);
    assertThat(answer.headline()).isEqualTo("1 worker alone: nothing to hold it against");
    assertThat(answer.charts()).isEmpty();
  }

  @Test
  void whatPositionsAddIsFound() {
    Simulated truth = new Simulated(3, 0.02);
    for (String type : List.of("f16", "f32")) {
      Arm arm = new Arm("cache-" + type, Map.of(ContextAnswer.CACHE_TYPE, type));
      double slope = type.equals("f16") ? 0.0015 : 0.003;
      for (int position = 10; position <= 1_010; position += 125) {
        truth.is(arm, token(position), "ms", Better.LOWER, 4 + slope * position);
      }
    }
    Answer answer = new ContextAnswer(truth.outcome(12), LoadAnswersTest::token).answer();
    assertThat(answer.headline())
        .matches("A token takes 1\\.[3-7]\\d* \\(1\\..*–1\\..*\\) ms more for every 1,000 .*");
    assertThat(answer.facts().getLast().text()).contains("f32 keys and values").contains("x (");
    assertThat(answer.warnings()).isEmpty();
    assertThat(answer.charts().getFirst().series())
        .as("dots and the line that fits them have one colour")
        .extracting(Chart.Series::group)
        .containsExactly("f16", "f32", "f16", "f32");
    assertThat(new ContextAnswer(truth.outcome(3), LoadAnswersTest::token).answer().headline())
        .startsWith("Too few rounds to be sure; so far a token takes ")
        .endsWith(" ms more for every 1,000 positions");
  }

  @Test
  void whatPartsAddUpToHasAnIntervalAsTheyHave() {
    Simulated truth = new Simulated(4, 0.02);
    for (Part part : Part.values()) {
      Arm arm = new Arm(part.word(), Map.of());
      truth.is(arm, TIME, "µs", Better.LOWER, part == Part.READ ? 300 : 200);
    }
    Operation operation = Operation.parse("gelu", "64x64", "f32");
    Chart chart = new BoundAnswer(truth.outcome(12), TIME, 0.25, true).chart(operation);
    Chart.Point both = chart.series().getFirst().points().getLast();
    assertThat(both.label()).isEqualTo("both added up");
    assertThat(both.bounded()).isTrue();
    assertThat(both.low()).isLessThan(both.y());
    assertThat(both.y()).isBetween(450.0, 550.0).isLessThan(both.high());
  }
}
