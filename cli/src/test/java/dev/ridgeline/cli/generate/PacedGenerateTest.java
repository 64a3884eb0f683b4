package dev.ridgeline.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.models.ModelOptions.Chosen;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedGenerateTest {
  private static final Options TIMES = Options.of(Level.TIME).withoutCalibration();

  @TempDir private Path folder;

  private Outcome outcome(Pace pace) {
    Path model = folder.resolve("tiny.gguf");
    SynthModel.write(SynthShape.LLAMA2C_TINY, TensorType.F32, 1, model, _ -> {});
    GenerateWorkload.Plan plan =
        new GenerateWorkload.Plan(
            "",
            new Chosen("tiny", model, ""),
            GeneratorOptions.DEFAULT.withWorkers(1),
            new Prompts.Bundled(),
            Sampling.GREEDY.withMaxTokens(16),
            new RepeatedWorkload.Amount(16, 5, 0, 0, pace));
    try (GenerateWorkload workload = new GenerateWorkload(plan)) {
      Recording.session(TIMES, () -> workload.warmUp(Progress.silent()));
      Profile profile = Recording.session(TIMES, () -> workload.measure(Progress.silent()));
      return workload.outcome(profile);
    }
  }

  @Test
  void withoutTimeItMeasuresTheLeastAndSaysWhatTakesTheTime() {
    Outcome outcome = outcome(Pace.within(0, () -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(1);
    assertThat(outcome.configuration()).containsEntry("tokens", "4 at most");
    assertThat(outcome.conditions().get("shortened"))
        .isEqualTo(
            "measured 1 of 5 passes over the first 4 of 16 tokens, to end within 30 s; to measure"
                + " all: -n 16 --iterations 5");
  }

  @Test
  void whoAskedForAnAmountGetsAllOfIt() {
    Outcome outcome = outcome(Pace.unbounded(() -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(5);
    assertThat(outcome.configuration()).containsEntry("tokens", "16 at most");
    assertThat(outcome.conditions()).doesNotContainKey("shortened");
  }
}
