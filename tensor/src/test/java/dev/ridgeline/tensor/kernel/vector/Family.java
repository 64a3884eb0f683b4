package dev.ridgeline.tensor.kernel.vector;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.kernel.assembled.Tiers;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;

/** Families that must give what the formulas say. */
enum Family {
  SCALAR,
  VECTOR,
  /** Assembled, in the fastest tier that there is here. */
  ASSEMBLED,
  /** In registers of 256 bits. */
  ASSEMBLED_NARROW;

  Kernels kernels() {
    if (this == SCALAR) return new ScalarKernels();
    if (this == VECTOR) return new VectorKernels();
    if (this == ASSEMBLED_NARROW) return Tiers.kernels(Tier.AVX2);
    assumeTrue(Tier.here() != null, "assembled code cannot run here");
    return Tiers.kernels(Tier.here());
  }
}
