package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.kernel.assembled.Tiers;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole passes have the bits of the lowest tier in every other one. */
class TiersTest {
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"AVX2"})
  void aPassHasTheSameBits(Tier tier) {
    // Tiles of bf16 round what they meet, so weights of 16 bits have other bits with AMX.
    TensorType down = tier == Tier.AMX ? TensorType.Q8_0 : TensorType.F16;
    for (int[] lengths : new int[][] {{1}, {5, 1, 40}, {3, 150, 3, 17}}) {
      assertThat(pass(tier, lengths, down)).isEqualTo(pass(Tier.AVX2, lengths, down));
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"AVX2"})
  void gradientsHaveTheSameBits(Tier tier) {
    List<float[]> expected = gradients(Tier.AVX2);
    List<float[]> got = gradients(tier);
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.size(); i++) {
      assertThat(got.get(i)).as("result %d", i).isEqualTo(expected.get(i));
    }
  }

  private static float[] pass(Tier tier, int[] lengths, TensorType down) {
    try (Fixture play = new Fixture(device(tier), 5)) {
      int[] tokens = new Random(2).ints(200, 0, 100).toArray();
      return play.read(new Encoder(play, 200, 150, down).run(play.ops, tokens, lengths));
    }
  }

  private static List<float[]> gradients(Tier tier) {
    try (Trainer trainer = new Trainer(device(tier), 5);
        Gradients gradients = new Gradients(trainer, 5, 1, 90)) {
      gradients.run(new Grad(trainer.play.device));
      return gradients.results();
    }
  }

  private static CpuDevice device(Tier tier) {
    return new CpuDevice(Tiers.kernels(tier), Workers.of(2).partsOf(1), null);
  }
}
