package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.tune.Tiling;
import org.junit.jupiter.api.Test;

class StrategyTest {
  private static final Tiling PRESET = Tiling.preset(null);

  @Test
  void oneTextIsSplitAFewArePackedAndManyAreSpread() {
    assertThat(Strategy.AUTO.chosen(1, 2, PRESET)).isEqualTo(Strategy.FINE);
    assertThat(Strategy.AUTO.chosen(2, 2, PRESET)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(4, 2, PRESET)).isEqualTo(Strategy.COARSE);
    assertThat(Strategy.AUTO.chosen(31, 16, PRESET)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(32, 16, PRESET)).isEqualTo(Strategy.COARSE);
    assertThat(Strategy.AUTO.chosen(10_000, Integer.MAX_VALUE, PRESET)).isEqualTo(Strategy.PACKED);
  }

  @Test
  void aTunedMachineHasItsOwnThresholds() {
    Tiling tuned = PRESET.and("auto.packed=5,auto.coarse=16");
    assertThat(Strategy.AUTO.chosen(4, 2, tuned)).isEqualTo(Strategy.FINE);
    assertThat(Strategy.AUTO.chosen(5, 2, tuned)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(15, 2, tuned)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(16, 2, tuned)).isEqualTo(Strategy.COARSE);
  }

  @Test
  void whatWasAskedForIsWhatRuns() {
    Tiling tuned = PRESET.and("auto.packed=5,auto.coarse=16");
    for (Strategy each : new Strategy[] {Strategy.FINE, Strategy.COARSE, Strategy.PACKED}) {
      for (int texts : new int[] {1, 3, 100}) {
        assertThat(each.chosen(texts, 2, tuned)).isEqualTo(each);
      }
    }
  }
}
