package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.cpu.Trainer.Family;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A backward pass allocates nothing, on no thread, recorded or not. */
class GradSteadyStateTest {
  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @ParameterizedTest
  @CsvSource({"SCALAR, OFF", "SCALAR, TIME", "CHOSEN, OFF", "CHOSEN, TIME", "CHOSEN, ALLOCATION"})
  void aPassAllocatesNothing(Family family, Level level) {
    try (Trainer trainer = new Trainer(family, 3, 5);
        Gradients gradients = new Gradients(trainer, 5, 1, 9)) {
      Profiler.start(Options.of(level).withoutCalibration());
      int clean = 0;
      long last = 0;
      for (int batch = 0; batch < 200 && clean < 5; batch++) {
        long[] threads = SteadyStateTest.threads();
        long before = SteadyStateTest.allocated(threads);
        for (int i = 0; i < 40; i++) gradients.run(trainer.grad);
        last = SteadyStateTest.allocated(threads) - before;
        clean = last == 0 ? clean + 1 : 0;
      }
      assertThat(clean).as("clean batches in a row; the last allocated %d", last).isEqualTo(5);
      Profile profile = Profiler.stop();
      assertThat(profile.slips()).isEqualTo(Profile.Slips.NONE);
    }
  }
}
