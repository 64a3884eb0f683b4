package dev.ridgeline.tensor.kernel.assembled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.OtherJvm;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.cpu.KernelChoice;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a JVM makes of the tier that it was asked for. */
@Execution(CONCURRENT)
@Tag("own-jvm")
class TierPropertyTest {
  /** Says what kernels there are, or why there are none. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      try {
        System.out.println(KernelChoice.made().description());
      } catch (KernelException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void kernelsAreOfTheTierThatWasAskedFor(Tier tier) {
    Tiers.assumeRuns(tier);
    assertThat(said(tier.word())).startsWith("assembled (" + tier.title() + "), else vector");
  }

  @Test
  void aTierThatIsNoneIsRefused() {
    assertThat(said("sse"))
        .isEqualTo("-Dridgeline.tier=sse: say avx2, avx-vnni, avx512, avx512-vnni or amx\n");
  }

  private static String said(String tier) {
    return new OtherJvm(List.of("-Dridgeline.tier=" + tier), Program.class).said();
  }
}
