package dev.ridgeline.cli.kernels;

import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import java.util.Random;

/** As a program: calls every kernel, and says what further calls allocate. */
final class CalledAgain {
  private CalledAgain() {}

  public static void main(String[] args) {
    for (Kernel kernel : KernelTest.odd(new Random(KernelTest.SEED), 1)) {
      Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
      try (kernel) {
        Allocated.again(kernel.name(), kernel::run);
      } finally {
        Profiler.stop();
      }
    }
  }
}
