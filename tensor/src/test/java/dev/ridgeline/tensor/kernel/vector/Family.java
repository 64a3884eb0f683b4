package dev.ridgeline.tensor.kernel.vector;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;

/** Families that must give what the formulas say. */
enum Family {
  SCALAR,
  VECTOR,
  ASSEMBLED;

  Kernels kernels() {
    if (this == SCALAR) return new ScalarKernels();
    if (this == VECTOR) return new VectorKernels();
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
    // What is not assembled shall not be vectors by chance.
    return new AssembledKernels(new ScalarKernels());
  }
}
