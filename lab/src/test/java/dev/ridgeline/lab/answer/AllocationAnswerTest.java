package dev.ridgeline.lab.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.memory.MemorySeries;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is said of memory, from trials that are made up. */
class AllocationAnswerTest {
  private long nanos;

  private double owned = 40e6;

  private Answer answer(double budget, double heap, double outside, double leaking) {
    Random random = new Random(2);
    Runner<Arm> trials =
        (_, _, _, _) -> {
          nanos += 3_000_000_000L;
          List<Reading.Value> values = new ArrayList<>();
          add(values, "allocated per text", leaking);
          add(values, MemorySeries.GROWTH, heap + random.nextGaussian());
          add(values, MemorySeries.OWNED_GROWTH, outside);
          add(values, MemorySeries.LIVE, 10e6);
          add(values, MemorySeries.OWNED, owned);
          for (int texts = 96; texts <= 1024; texts += 232) {
            add(values, MemorySeries.more(MemorySeries.LIVE, texts), heap * (texts - 96));
            add(values, MemorySeries.more(MemorySeries.OWNED, texts), outside * (texts - 96));
          }
          add(values, "planned outside the heap", 40e6);
          add(values, MemorySeries.ALLOCATED + "embed › texts", leaking);
          add(values, MemorySeries.ALLOCATED + "embed › quiet", 0.1);
          return new Measured(new Reading(values, Map.of(), Map.of(), ""), Map.of(), "");
        };
    List<Arm> arms = List.of(new Arm("as-it-is", Map.of()));
    var question =
        new Sweep.Question(
            arms, "as-it-is", "allocated per text", 0.02, budget, 1, Aim.EACH, 0, false);
    Sweep sweep =
        new Sweep(question, trials, (_, _) -> {}, new Host(() -> nanos, MachineLoad::now));
    sweep.run();
    return new AllocationAnswer(sweep.outcome()).answer();
  }

  private static void add(List<Reading.Value> values, String name, double value) {
    values.add(new Reading.Value(name, "B/text", Better.NEITHER, value));
  }

  @Test
  void aLeakIsCalledOneWithTheScopeThatAllocatesMost() {
    Answer answer = answer(60, 200, 0, 220);
    assertThat(answer.headline())
        .startsWith("grows by ")
        .endsWith("B a text: leak, most likely in embed › texts");
    assertThat(answer.tables().getFirst().rows()).hasSize(1);
  }

  @Test
  void whatStaysIsSteadyAndTheBoundIsSaid() {
    Answer answer = answer(60, 0, 0, 0);
    assertThat(answer.headline()).startsWith("steady: 0").endsWith("B allocated a text");
    assertThat(answer.facts().getFirst().text()).contains("steady: by ").contains("at most");
    assertThat(answer.warnings()).isEmpty();
  }

  @Test
  void memoryThatIsNotGivenBackOutsideTheHeapIsALeak() {
    assertThat(answer(60, 0, 64, 0).headline())
        .isEqualTo("grows by 64.0 (64.0–64.0) B a text outside the heap: leak");
  }

  @Test
  void moreThanWasPlannedIsADefect() {
    owned = 50e6;
    assertThat(answer(60, 0, 0, 0).warnings()).singleElement().asString().endsWith("a defect");
  }

  @Test
  void fewTrialsSayThatTheyAreTooFew() {
    Answer answer = answer(7, 86, 0, 0);
    assertThat(answer.headline())
        .containsPattern("8\\d\\.\\d \\(\\?\\) B stay on the heap")
        .endsWith("too few trials to say whether memory grows");
    assertThat(answer.facts().getFirst().text())
        .containsPattern("8\\d\\.\\d \\(\\?\\) B a text stay");
  }

  @Test
  void whatIsHeldIsDrawnOverTexts() {
    Answer answer = answer(60, 200, 0, 220);
    Chart held = answer.charts().getFirst();
    assertThat(held.x()).isEqualTo("texts");
    List<Chart.Point> heap = held.series().getFirst().points();
    assertThat(heap).extracting(Chart.Point::x).containsExactly(96.0, 328.0, 560.0, 792.0, 1024.0);
    assertThat(heap.getLast().y()).isEqualTo(200 * 928 / 1e3);
    assertThat(heap).allMatch(Chart.Point::bounded);
    Chart each = answer.charts().getLast();
    assertThat(each.series().getFirst().points())
        .extracting(Chart.Point::label)
        .containsExactly("stays on the heap", "stays outside", "embed › texts");
  }
}
