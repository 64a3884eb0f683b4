package dev.ridgeline.cli.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final int NEVER = -1;

  /** After how many of 200 batches of ten calls a series counts as warm. */
  private static int batches(IntToDoubleFunction nanos, IntToDoubleFunction jit) {
    WarmUp warmUp = new WarmUp(4, 0.1);
    for (int batch = 0; batch < 200; batch++) {
      double[] calls = new double[10];
      for (int i = 0; i < 10; i++) calls[i] = nanos.applyAsDouble(10 * batch + i);
      warmUp.add(calls, (long) jit.applyAsDouble(batch));
      assertThat(warmUp.calls()).isEqualTo(10L * (batch + 1));
      if (warmUp.stable()) return batch + 1;
    }
    return NEVER;
  }

  @Test
  void aFlatSeriesIsWarmAfterOneWindow() {
    assertThat(batches(_ -> 100, _ -> 7)).isEqualTo(4);
  }

  @Test
  void aDecliningSeriesIsWarmOnlyWhenItHasSettled() {
    IntToDoubleFunction decline = call -> 100 + 9900 * Math.exp(-call / 80.0);
    int batches = batches(decline, _ -> 7);
    assertThat(batches).isLessThan(100);
    assertThat(decline.applyAsDouble(10 * batches)).isLessThan(106);
  }

  @Test
  void aSlowSteadyDeclineIsNotTakenForNoise() {
    assertThat(batches(call -> 1_000_000 * Math.pow(0.99, call), _ -> 7)).isEqualTo(NEVER);
  }

  @Test
  void smallNoiseAndSingleSpikesDoNotMatter() {
    Random random = new Random(5);
    assertThat(batches(_ -> 100 * random.nextDouble(0.97, 1.03), _ -> 7)).isEqualTo(4);
    assertThat(batches(call -> call % 10 == 3 ? 90_000 : 100, _ -> 7)).isEqualTo(4);
  }

  @Test
  void aSeriesThatJumpsBetweenTwoSpeedsIsNeverWarm() {
    assertThat(batches(call -> call / 10 % 2 == 0 ? 100 : 140, _ -> 7)).isEqualTo(NEVER);
    assertThat(batches(call -> call / 20 % 2 == 0 ? 100 : 140, _ -> 7)).isEqualTo(NEVER);
  }

  @Test
  void wildNoiseIsNeverWarm() {
    Random random = new Random(5);
    double[] level = {100};
    assertThat(
            batches(
                call -> call % 10 == 0 ? level[0] = random.nextInt(9) * 100 + 100 : level[0],
                _ -> 7))
        .isEqualTo(NEVER);
  }

  @Test
  void nothingIsWarmWhileTheJitIsAtWork() {
    assertThat(batches(_ -> 100, batch -> batch)).isEqualTo(NEVER);
    assertThat(batches(_ -> 100, batch -> Math.min(batch, 20))).isEqualTo(24);
  }

  @Test
  void theMedianIsTheMiddle() {
    assertThat(WarmUp.median(new double[] {9, 1, 5})).isEqualTo(5);
    assertThat(WarmUp.median(new double[] {9, 1, 5, 6})).isEqualTo(5.5);
  }

  @Test
  void aWindowOfOneIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WarmUp(1, 0.1));
  }
}
