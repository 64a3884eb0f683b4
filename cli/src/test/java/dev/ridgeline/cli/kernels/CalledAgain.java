package dev.ridgeline.cli.kernels;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;

/** As a program: calls every kernel, and says what further calls allocate. */
final class CalledAgain {
  private CalledAgain() {}

  public static void main(String[] args) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Kernel kernel : KernelTest.odd(new Random(KernelTest.SEED), false)) {
      kernel.run();
      kernel.run();
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10; i++) kernel.run();
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      System.out.printf("%s: %d bytes%n", kernel.name(), allocated);
      kernel.close();
    }
  }
}
