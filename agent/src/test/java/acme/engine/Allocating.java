package acme.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Says how many bytes 100,000 calls of a method that allocates nothing have cost. */
public final class Allocating {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocating() {}

  public static void main(String[] args) {
    calls();
    calls();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long nothing = THREADS.getCurrentThreadAllocatedBytes() - before;
    before = THREADS.getCurrentThreadAllocatedBytes();
    calls();
    long after = THREADS.getCurrentThreadAllocatedBytes();
    System.out.println(after - before - nothing);
  }

  static int calls() {
    int sum = 0;
    for (int i = 0; i < 100_000; i++) sum += called(i);
    return sum;
  }

  static int called(int n) {
    if (n < 0) throw new IllegalArgumentException();
    return Engine.spin(n & 7);
  }
}
