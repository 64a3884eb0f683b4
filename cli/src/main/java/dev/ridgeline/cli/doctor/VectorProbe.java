package dev.ridgeline.cli.doctor;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Whether Vector API code becomes vector instructions in this JVM: measured, not inferred. */
final class VectorProbe implements Probe {
  private static final long BUDGET_NANOS = 500_000_000;

  /** Vectors that are not kept in registers are boxed: a few dozen bytes each, thousands a call. */
  private static final long BOXED_BYTES = 1024;

  /** Keeps results alive, so that the compiler cannot drop the work. */
  private volatile float sink;

  @Override
  public String topic() {
    return "vector";
  }

  @Override
  public List<Check> examine() {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return List.of(
          Check.problem(
              "vector.compiled",
              "vector code",
              false,
              "the module jdk.incubator.vector is not loaded",
              "start with ./ridgeline, or give java --add-modules jdk.incubator.vector"));
    }
    return List.of(width(), compiled());
  }

  private static Check width() {
    int bits = DotProduct.bits();
    String text = "%d bit, %d floats".formatted(bits, DotProduct.lanes());
    return Check.ok("vector.bits", "width", bits, text);
  }

  private Check compiled() {
    var dot = new DotProduct();
    double scalar = Stopwatch.nanosEach(BUDGET_NANOS, n -> repeatScalar(dot, n));
    double vector = Stopwatch.nanosEach(BUDGET_NANOS, n -> repeatVector(dot, n));
    long allocated = allocatedPerCall(dot);
    double times = scalar / vector;
    String text =
        String.format(
            Locale.ROOT,
            "%.1f × plain Java, %.0f GFLOP/s in cache on one core, %s allocated a call",
            times,
            2 * DotProduct.LENGTH / vector,
            allocated == 0 ? "nothing" : allocated + " B");
    return verdict(dot.agrees(), times, allocated, text);
  }

  /** An eighth of what the lanes promise: code that is not compiled loses against plain Java. */
  private static Check verdict(boolean agrees, double times, long allocated, String text) {
    String label = "vector code";
    String key = "vector.speedup";
    double value = Units.round(times);
    if (!agrees) {
      return Check.problem(
          key,
          label,
          value,
          "vector and plain code differ in their result",
          "use another JDK: RIDGELINE_JAVA=/path/to/jdk-25");
    }
    if (times >= Math.max(1.2, DotProduct.lanes() / 8.0) && allocated < BOXED_BYTES) {
      return Check.ok(key, label, value, "compiled to vector instructions: " + text);
    }
    String reason = allocated >= BOXED_BYTES ? "vectors are boxed: " : "hardly faster: ";
    return Check.problem(
        key,
        label,
        value,
        "not compiled to vector instructions, " + reason + text,
        "use a JDK whose top compiler is C2, without -Xint, -XX:TieredStopAtLevel or a debugger");
  }

  private long allocatedPerCall(DotProduct dot) {
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) return 0;
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
