package dev.ridgeline.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.train.config.TrainConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedTrainTest {
  private static final Options TIMES = Options.of(Level.TIME).withoutCalibration();

  @TempDir private Path folder;

  private Outcome outcome(Pace pace) throws IOException {
    Files.writeString(folder.resolve("texts.txt"), "one text to learn by heart. ".repeat(200));
    Path file = Files.writeString(folder.resolve("small.json"), Preset.SMALL.config);
    TrainWorkload.Plan plan =
        new TrainWorkload.Plan(
            file,
            TrainConfigFile.read(file),
            Files.createDirectory(folder.resolve("kept")),
            false,
            false,
            DeviceChoice.DEFAULT.withWorkers(1),
            new RepeatedWorkload.Amount(6, 2, 0, 0, pace));
    try (TrainWorkload workload = new TrainWorkload(plan, Progress.silent())) {
      Recording.session(TIMES, () -> workload.warmUp(Progress.silent()));
      Profile profile = Recording.session(TIMES, () -> workload.measure(Progress.silent()));
      return workload.outcome(profile);
    }
  }

  @Test
  void withoutTimeItMeasuresTheLeastAndSaysWhatTakesTheTime() throws IOException {
    Outcome outcome = outcome(Pace.within(0, () -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(1);
    assertThat(outcome.configuration()).containsEntry("steps", "4 a round");
    assertThat(outcome.conditions().get("shortened"))
        .isEqualTo(
            "measured 1 of 2 passes over the first 4 of 6 steps, to end within 30 s; to measure"
                + " all: --steps 6 --iterations 2");
  }

  @Test
  void whoAskedForAnAmountGetsAllOfIt() throws IOException {
    Outcome outcome = outcome(Pace.unbounded(() -> 0));
    assertThat(outcome.metrics().getFirst().samples()).hasSize(2);
    assertThat(outcome.configuration()).containsEntry("steps", "6 a round");
    assertThat(outcome.conditions()).doesNotContainKey("shortened");
  }
}
