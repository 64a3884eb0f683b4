package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.TensorType;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any bytes as a file may have them, packed by assembled code and one by one. */
class FloatPanelsTest {
  private static final int[] OUTPUTS = {1, 7, 8, 15, 16, 17, 31, 32, 33, 70};
  private static final int[] INPUTS = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 67, 1024, 8195};

  @ParameterizedTest
  @CsvSource({"AVX2, F32", "AVX2, F16", "AVX2, BF16", "AVX512, F32", "AVX512, F16", "AVX512, BF16"})
  void everyNumberFindsItsPlaceAndNoOtherIsTouched(Tier tier, TensorType type) {
    Tiers.assumeRuns(tier);
    var packing = new FloatPanels(FloatKind.of(type), tier.bits());
    for (int outputs : OUTPUTS) {
      for (int inputs : INPUTS) check(packing, type, outputs, inputs);
    }
  }

  private static void check(FloatPanels packing, TensorType type, int outputs, int inputs) {
    int bytes = type.blockBytes();
    int panels = (outputs + PANEL - 1) / PANEL;
    String what = "%s %d×%d".formatted(type, outputs, inputs);
    try (var memory = new GuardedMemory()) {
      var random = new Random(outputs);
      long rows = memory.upTo(type.bytes((long) outputs * inputs));
      for (long i = 0; i < type.bytes((long) outputs * inputs); i++) {
        ALL.set(JAVA_BYTE, rows + i, (byte) random.nextInt());
      }
      long packed = memory.upTo(panels * packing.bytes(inputs));
      // In any order: a panel must leave the next one alone.
      for (int panel = panels - 1; panel >= 0; panel--) {
        packing.pack(rows, outputs, inputs, packed, panel, panel + 1);
      }
      for (int o = 0; o < panels * PANEL; o++) {
        for (int i = 0; i < inputs; i++) {
          long to = packed + o / PANEL * packing.bytes(inputs);
          long expected = o < outputs ? number(rows + ((long) o * inputs + i) * bytes, bytes) : 0;
          long got = number(to + ((long) i * PANEL + o % PANEL) * bytes, bytes);
          if (got != expected) assertThat(got).as("%s at %d, %d", what, o, i).isEqualTo(expected);
        }
      }
    }
  }

  private static long number(long at, int bytes) {
    long number = 0;
    for (int b = 0; b < bytes; b++) number |= (ALL.get(JAVA_BYTE, at + b) & 0xFFL) << 8 * b;
    return number;
  }
}
