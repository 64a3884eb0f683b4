package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The same bits for any number of workers and any neighbours in the batch. */
class DeterminismTest {
  private static final int LONGEST = 150;

  @Test
  void theNumberOfWorkersChangesNoBit() {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      int[] lengths = random.ints(random.nextInt(1, 8), 1, LONGEST).toArray();
      int[] tokens = random.ints(Arrays.stream(lengths).sum(), 0, 100).toArray();
      float[] alone = run(1, seed, tokens, lengths, false);
      for (int workers : new int[] {2, 3, 7}) {
        for (boolean serial : new boolean[] {false, true}) {
          assertThat(run(workers, seed, tokens, lengths, serial))
              .as("seed %d, %d workers, serial %s", seed, workers, serial)
              .isEqualTo(alone);
        }
      }
    }
  }

  @Test
  void theNeighboursInTheBatchChangeNoBit() {
    int[] lengths = {1, 149, 17, 64, 65, 3};
    int[] tokens = new Random(1).ints(Arrays.stream(lengths).sum(), 0, 100).toArray();
    try (Fixture play = new Fixture(3, 1)) {
      Encoder encoder = new Encoder(play, tokens.length, LONGEST);
      Tensor together = encoder.run(play.ops, tokens, lengths);
      float[] expected = play.read(together);
      int start = 0;
      for (int t = 0; t < lengths.length; t++) {
        int[] mine = Arrays.copyOfRange(tokens, start, start + lengths[t]);
        Tensor alone = encoder.run(play.ops, mine, new int[] {lengths[t]});
        int width = alone.columns();
        assertThat(play.read(alone))
            .as("text %d", t)
            .isEqualTo(Arrays.copyOfRange(expected, t * width, (t + 1) * width));
        start += lengths[t];
      }
    }
  }

  private static float[] run(int workers, long seed, int[] tokens, int[] lengths, boolean serial) {
    try (Fixture play = new Fixture(workers, seed)) {
      Encoder encoder = new Encoder(play, tokens.length, LONGEST);
      Ops ops = serial ? new Ops(play.device.serial()) : play.ops;
      float[] result = play.read(encoder.run(ops, tokens, lengths));
      for (float number : result) assertThat(number).isFinite();
      return result;
    }
  }
}
