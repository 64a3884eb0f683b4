package dev.ridgeline.cli.doctor;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.Device;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Whether Vector API code becomes vector instructions in this JVM: measured, not inferred. */
final class VectorProbe implements Probe {
  private static final Check.Item SPEEDUP = Check.of("vector.speedup", "vector code");

  private static final long BUDGET_NANOS = 400_000_000;

  /** When no further round begins, though the code is still slow: it may yet be compiled. */
  private static final long PATIENCE_NANOS = 1_500_000_000;

  /** Gives a compiler that shares our only core a chance. */
  private static final long PAUSE_MILLIS = 50;

  /** Less of a core than this, while we ask for all of it, and others are at work. */
  private static final double OUR_SHARE = 0.8;

  /** Vectors that are not kept in registers are boxed: a few dozen bytes each, thousands a call. */
  private static final long BOXED_BYTES = 1024;

  private final boolean c2;

  /** Keeps results alive, so that the compiler cannot drop the work. */
  private volatile float sink;

  VectorProbe(Machine machine) {
    c2 = machine.jvm().jit().equals("C2");
  }

  @Override
  public List<Check> examine() throws InterruptedException {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return List.of(
          Check.of("vector.compiled", "vector code")
              .problem(
                  false,
                  "the module jdk.incubator.vector is not loaded: " + Device.cpu(1).description(),
                  "start with ./ridgeline, or give java --add-modules jdk.incubator.vector"));
    }
    return List.of(width(), compiled());
  }

  private static Check width() {
    int bits = DotProduct.bits();
    String text = "%d bit, %d floats".formatted(bits, DotProduct.lanes());
    return Check.of("vector.bits", "width").ok(bits, text);
  }

  private Check compiled() throws InterruptedException {
    var dot = new DotProduct();
    long start = System.nanoTime();
    long pauses = 0;
    long cpuStart = threads().getCurrentThreadCpuTime();
    Rates rates = measure(dot);
    while (!rates.compiled() && System.nanoTime() - start < PATIENCE_NANOS) {
      long pause = System.nanoTime();
      Thread.sleep(PAUSE_MILLIS);
      pauses += System.nanoTime() - pause;
      rates = rates.best(measure(dot));
    }
    double ran = threads().getCurrentThreadCpuTime() - cpuStart;
    double share = ran / (System.nanoTime() - start - pauses);
    return dot.agrees() ? verdict(rates, c2 && busy(share)) : wrong();
  }

  private static boolean busy(double share) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return share < OUR_SHARE || system.getSystemLoadAverage() > system.getAvailableProcessors();
  }

  private Rates measure(DotProduct dot) {
    return new Rates(
        Stopwatch.nanosEach(BUDGET_NANOS, n -> repeatScalar(dot, n)),
        Stopwatch.nanosEach(BUDGET_NANOS, n -> repeatVector(dot, n)),
        allocatedPerCall(dot));
  }

  /**
   * What a dot product costs.
   *
   * @param scalar nanoseconds in plain Java
   * @param vector nanoseconds in vector code
   * @param allocated bytes in vector code
   */
  record Rates(double scalar, double vector, long allocated) {
    double times() {
      return scalar / vector;
    }

    boolean boxed() {
      return allocated >= BOXED_BYTES;
    }

    /** An eighth of what the lanes promise: code that is not compiled loses against plain Java. */
    boolean compiled() {
      return times() >= Math.max(1.2, DotProduct.lanes() / 8.0) && !boxed();
    }

    Rates best(Rates other) {
      return new Rates(
          Math.min(scalar, other.scalar),
          Math.min(vector, other.vector),
          Math.min(allocated, other.allocated));
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%.1f × plain Java, %.0f GFLOP/s in cache on one core, %s allocated per call",
          times(),
          2 * DotProduct.LENGTH / vector,
          allocated == 0 ? "nothing" : allocated + " B");
    }
  }

  /**
   * Judges rates.
   *
   * @param busy whether there is a C2 that may merely not have had its turn
   */
  static Check verdict(Rates rates, boolean busy) {
    double value = Check.round(rates.times());
    if (rates.compiled()) {
      return SPEEDUP.ok(value, "compiled to vector instructions: " + rates.text());
    }
    if (busy) {
      return SPEEDUP.warning(
          null,
          "could not be measured: the machine is busy",
          "stop other work (see `top`), then run `ridgeline doctor` again");
    }
    String reason = rates.boxed() ? "vectors are boxed: " : "hardly faster: ";
    return SPEEDUP.problem(
        value,
        "not compiled to vector instructions, " + reason + rates.text(),
        "use a JDK whose top compiler is C2, without -Xint, -XX:TieredStopAtLevel or a debugger");
  }

  private static Check wrong() {
    return SPEEDUP.problem(
        null,
        "vector and plain code differ in their result",
        "use another JDK: RIDGELINE_JAVA=/path/to/jdk-25");
  }

  private static java.lang.management.ThreadMXBean threads() {
    return ManagementFactory.getThreadMXBean();
  }

  private long allocatedPerCall(DotProduct dot) {
    if (!(threads() instanceof ThreadMXBean threads)) return 0;
    int calls = 1000;
    long before = threads.getCurrentThreadAllocatedBytes();
    repeatVector(dot, calls);
    return (threads.getCurrentThreadAllocatedBytes() - before) / calls;
  }

  private void repeatScalar(DotProduct dot, int times) {
    for (int i = 0; i < times; i++) sink = dot.scalar();
  }

  private void repeatVector(DotProduct dot, int times) {
    for (int i = 0; i < times; i++) sink = dot.vector();
  }
}
