package dev.ridgeline.lab.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.document.Document.Fact;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is said of optimisations that were left out, on a machine that is made up. */
class AblationAnswerTest {
  private long nanos;
  private double budget = 120;

  /** An arm whose options come to nothing. */
  private String idle = "";

  private Answer answer(Map<String, Double> speeds, String spoilt) {
    Random random = new Random(1);
    List<Arm> arms =
        speeds.keySet().stream()
            .sorted()
            .map(name -> new Arm(name, Map.of("without", name.replace("without-", ""))))
            .toList();
    Runner<Arm> trials =
        (arm, _, seconds, _) -> {
          nanos += (long) ((1 + seconds) * 1e9);
          double rate = 100 * speeds.get(arm.name()) * Math.exp(0.002 * random.nextGaussian());
          String digest = arm.name().equals(spoilt) ? "other" : "same";
          return new Measured(
              new Reading(
                  List.of(new Reading.Value("rate", "1/s", Better.HIGHER, rate)),
                  Map.of(),
                  Map.of(),
                  digest),
              Map.of("arm", arm.name().equals(idle) ? "all-on" : arm.name()),
              "");
        };
    var question = new Sweep.Question(arms, "all-on", null, 0.02, budget, 1, Aim.EACH, 0, true);
    Sweep sweep =
        new Sweep(question, trials, (_, _) -> {}, new Host(() -> nanos, MachineLoad::now));
    sweep.run();
    return new AblationAnswer(sweep).answer();
  }

  @Test
  void whatIsWorthMostComesFirstAndWhatCannotBeToldIsSaid() {
    Answer answer =
        answer(
            Map.of(
                "all-on",
                1.0,
                "without-kv-cache",
                0.1,
                "without-fusion",
                0.9,
                "without-spinning",
                1.0),
            "");
    assertThat(answer.headline())
        .startsWith("speed is without kv-cache 0.10x (")
        .contains("fusion 0.90x");
    assertThat(answer.facts())
        .containsExactly(new Fact("Unsure", "no difference that can be told without spinning"));
    assertThat(answer.tables().getFirst().rows().get(1).cells().getFirst())
        .startsWith("kv-cache: ");
    assertThat(answer.tables().getFirst().rows().get(1).cells().get(3)).contains("10.0");
    assertThat(answer.warnings()).isEmpty();
  }

  @Test
  void whatDoesHarmIsSaidBesideWhatHelps() {
    Map<String, Double> speeds =
        Map.of("all-on", 1.0, "without-workers", 0.74, "without-fusion", 1.59);
    assertThat(answer(speeds, "").headline())
        .matches("speed is without fusion 1\\.\\d+x \\(.*\\), without workers 0\\.7\\d*x \\(.*\\)");
    budget = 12;
    assertThat(answer(speeds, "").headline()).contains("without fusion 1.", "without workers 0.7");
  }

  @Test
  void whatIsNotInForceHasNoWorth() {
    idle = "without-batching";
    Answer answer =
        answer(Map.of("all-on", 1.0, "without-fusion", 0.5, "without-batching", 1.3), "");
    assertThat(answer.headline()).contains("without fusion").doesNotContain("batching");
    assertThat(answer.facts())
        .contains(new Fact("Idle", "not in force here, the plan is the same without: batching"));
    assertThat(answer.tables().getFirst().rows().getLast().cells())
        .containsExactly(
            "batching: texts, or tokens of a prompt, in one batch",
            "–",
            "–",
            "not in force here",
            "");
    assertThat(answer.charts().getFirst().series().getFirst().points()).hasSize(1);
    assertThat(answer(Map.of("all-on", 1.0, "without-batching", 1.3), "").headline())
        .isEqualTo("none of these is in force here: nothing to leave out");
  }

  @Test
  void nothingIsWorthAnythingWhereNothingDiffers() {
    Answer answer = answer(Map.of("all-on", 1.0, "without-fusion", 1.0), "");
    assertThat(answer.headline()).isEqualTo("no optimisation is worth anything for sure here");
  }

  @Test
  void tooFewRoundsAreSureOfNothing() {
    budget = 8;
    Answer answer = answer(Map.of("all-on", 1.0, "without-fusion", 0.5), "");
    assertThat(answer.headline())
        .isEqualTo("too few rounds to be sure; so far speed is without fusion 0.50x (?)");
  }

  @Test
  void otherResultsAreADefectWhereTheSameArePromised() {
    Map<String, Double> speeds =
        Map.of("all-on", 1.0, "without-fusion", 0.9, "without-integer", 0.3);
    assertThat(answer(speeds, "without-fusion").warnings())
        .containsExactly("without-fusion has other results, and should have the same");
    assertThat(answer(speeds, "without-integer").warnings()).isEmpty();
  }

  @Test
  void everySwitchOfTheEngineIsOneHere() {
    for (var each : dev.ridgeline.tensor.Ablation.values()) {
      assertThat(Switch.named(each.word()).jvm("generate"))
          .containsExactly("-Dridgeline.ablate=" + each.word());
    }
  }

  /** Generation knows --batch only with many prompts. */
  @Test
  void batchingIsLeftOutOfEachWorkloadInItsOwnWay() {
    assertThat(Switch.BATCHING.options("embed")).containsExactly("--batch", "1");
    assertThat(Switch.BATCHING.jvm("embed")).isEmpty();
    assertThat(Switch.BATCHING.options("generate")).isEmpty();
  }
}
