package dev.ridgeline.tensor.kernel.assembled;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;

/** Kernels of any tier that this processor has, side by side in one process. */
public final class Tiers {
  private Tiers() {}

  /** With plain loops for what is not assembled, so that it shall not be vectors by chance. */
  public static Kernels kernels(Tier tier) {
    assumeRuns(tier);
    return new AssembledKernels(new ScalarKernels(), true, tier);
  }

  static void assumeRuns(Tier tier) {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
    assumeTrue(tier.runsOn(CpuFeatures.here()), "this CPU has no " + tier.title());
  }
}
