package dev.ridgeline.tensor.kernel.assembled;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.oracle.Needs;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.List;
import java.util.stream.Stream;

/**
 * Kernels of any tier that this processor has, side by side in one process. A JVM that was asked
 * for a lower tier has none above it: there, tests do what they would on a lesser processor.
 */
public final class Tiers {
  private Tiers() {}

  /** With plain loops for what is not assembled, so that it shall not be vectors by chance. */
  public static Kernels kernels(Tier tier) {
    assumeRuns(tier);
    return new AssembledKernels(new ScalarKernels(), true, tier, Tiling.preset(tier));
  }

  /** Those of every tier, the lowest first. */
  static List<Kernels> all() {
    assumeAssembled();
    return Stream.of(Tier.values()).filter(Tiers::runs).map(Tiers::kernels).toList();
  }

  /** Skips a test where this processor lacks what a tier needs. */
  static void assumeRuns(Tier tier) {
    assumeAssembled();
    Needs needs =
        switch (tier) {
          case AVX2 -> null;
          case AVX_VNNI -> Needs.AVX_VNNI;
          case AVX512 -> Needs.AVX_512;
          case AVX512_VNNI -> Needs.VNNI;
          case AMX -> Needs.AMX;
        };
    if (needs != null) needs.orSkip(runs(tier));
  }

  private static void assumeAssembled() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
  }

  private static boolean runs(Tier tier) {
    return tier.runsOn(CpuFeatures.here()) && tier.compareTo(Tier.here()) <= 0;
  }
}
