package dev.ridgeline.cli.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.models.ModelOptions.Chosen;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedEmbedTest {
  private static final Options TIMES = Options.of(Level.TIME).withoutCalibration();

  @TempDir private Path folder;

  private Outcome outcome(Pace pace) {
    Path model = folder.resolve("small.gguf");
    SynthModel.write(SynthShape.MINILM_L6, TensorType.Q8_0, 1, model, _ -> {});
    EmbedWorkload.Plan plan =
        new EmbedWorkload.Plan(
            new Chosen("small", model, ""),
            EmbedderOptions.DEFAULT.withWorkers(1),
            Collections.nCopies(16, "a text"),
            "made",
            List.of(),
            false,
            new RepeatedWorkload.Amount(16, 5, 0, 0, pace));
    try (EmbedWorkload workload = new EmbedWorkload(plan)) {
      Recording.session(TIMES, () -> workload.warmUp(Progress.silent()));
      Profile profile = Recording.session(TIMES, () -> workload.measure(Progress.silent()));
      return workload.outcome(profile);
    }
  }

  @Test
  void withoutTimeItMeasuresTheLeastAndSaysWhatTakesTheTime() {
    Outcome outcome = outcome(Pace.within(0, () -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(1);
    assertThat(outcome.configuration()).containsEntry("texts", "4, made");
    assertThat(outcome.conditions().get("shortened"))
        .isEqualTo(
            "measured 1 of 5 passes over the first 4 of 16 texts, to end within 30 s; to measure"
                + " all: --texts 16 --iterations 5");
  }

  @Test
  void whoAskedForAnAmountGetsAllOfIt() {
    Outcome outcome = outcome(Pace.unbounded(() -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(5);
    assertThat(outcome.configuration()).containsEntry("texts", "16, made");
    assertThat(outcome.conditions()).doesNotContainKey("shortened");
  }
}
