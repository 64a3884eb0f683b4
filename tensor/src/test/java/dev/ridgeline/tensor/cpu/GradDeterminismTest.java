package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.cpu.Trainer.Family;
import dev.ridgeline.tensor.grad.Grad;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same bits of every gradient, for any number of workers. */
class GradDeterminismTest {
  @ParameterizedTest
  @EnumSource
  void theNumberOfWorkersChangesNoBit(Family family) {
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      int[] lengths = random.ints(random.nextInt(2, 8), 1, 80).toArray();
      // Rows enough for sums over several blocks of them.
      if (seed == 0) lengths[1] = 400;
      List<float[]> alone = run(family, 1, false, seed, lengths);
      for (float[] result : alone) {
        for (float number : result) assertThat(number).isFinite();
      }
      for (int workers : new int[] {2, 3}) {
        for (boolean serial : new boolean[] {false, true}) {
          List<float[]> spread = run(family, workers, serial, seed, lengths);
          for (int i = 0; i < alone.size(); i++) {
            assertThat(spread.get(i))
                .as("seed %d, %d workers, serial %s, result %d", seed, workers, serial, i)
                .isEqualTo(alone.get(i));
          }
        }
      }
    }
  }

  private static List<float[]> run(
      Family family, int workers, boolean serial, long seed, int[] lengths) {
    try (Trainer trainer = new Trainer(family, workers, seed);
        Gradients gradients = new Gradients(trainer, lengths)) {
      gradients.run(serial ? new Grad(trainer.play.device.serial()) : trainer.grad);
      return gradients.results();
    }
  }
}
