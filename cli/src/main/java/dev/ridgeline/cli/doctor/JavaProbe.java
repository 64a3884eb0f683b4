package dev.ridgeline.cli.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Machine;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JVM: which, with which compiler, collector and heap, and what it was told. */
record JavaProbe(Machine machine) implements Probe {
  private static final Check.Item VERSION = Check.of("java.version", "JDK");
  private static final Check.Item COMPILER = Check.of("java.compiler", "compiler");
  private static final Check.Item HEAP = Check.of("java.heap", "heap");
  private static final Check.Item AOT_CACHE = Check.of("java.aotCache", "AOT cache");

  private static final int TESTED = 25;
  private static final long SMALL_HEAP = 1L << 29;
  private static final String DROP_FLAG =
      "drop the option from RIDGELINE_JVM_OPTS, JAVA_TOOL_OPTIONS or JDK_JAVA_OPTIONS";

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<>(List.of(version(), compiler(), collector(), heap(), aotCache()));
    checks.addAll(options());
    return checks;
  }

  private static Check version() {
    String version = Runtime.version().toString();
    String text =
        "%s, %s, %s"
            .formatted(version, System.getProperty("java.vendor"), System.getProperty("java.home"));
    if (Runtime.version().feature() == TESTED) return VERSION.ok(version, text);
    return VERSION.note(
        version,
        text + "; ridgeline is tested on " + TESTED,
        "RIDGELINE_JAVA=/path/to/jdk-" + TESTED);
  }

  private Check compiler() {
    String jit = machine.jvm().jit();
    return switch (jit) {
      case "C2" -> COMPILER.ok(jit, jit);
      case "C1" -> COMPILER.problem(jit, "C1 only: hot code stays several times slower", DROP_FLAG);
      case "interpreter" -> COMPILER.problem(jit, "none: everything is interpreted", DROP_FLAG);
      default ->
          COMPILER.warning(
              jit,
              jit + ": see below whether it compiles Vector API code",
              "use a JDK whose top compiler is C2");
    };
  }

  private Check collector() {
    String gc = machine.jvm().gc();
    return Check.of("java.collector", "collector").ok(gc, gc);
  }

  private Check heap() {
    long max = machine.jvm().heapMaxBytes();
    String text =
        "at most %s, %s now"
            .formatted(Quantity.bytes(max), Quantity.bytes(Runtime.getRuntime().totalMemory()));
    if (max >= SMALL_HEAP) return HEAP.ok(max, text);
    return HEAP.warning(
        max, text + ": collections will disturb measurements", "RIDGELINE_JVM_OPTS=-Xmx2g");
  }

  private static Check aotCache() {
    String file = flag("AOTCache").filter(f -> !f.isEmpty()).orElse(null);
    if (file != null && mapped(file)) {
      return AOT_CACHE.ok(true, "in use: " + Path.of(file).getFileName());
    }
    if (file != null) {
      return AOT_CACHE.note(
          false,
          "the JVM refused it, so starting takes longer",
          "rm '" + file + "': the next start makes a new one");
    }
    String why = System.getProperty("ridgeline.aot", "not started by ./ridgeline");
    return AOT_CACHE.note(false, "none, so starting takes longer: " + why);
  }

  /** A JVM that refuses its cache says nothing; but what it uses it maps. */
  private static boolean mapped(String file) {
    return KernelFiles.HERE
        .text("/proc/self/maps")
        .map(maps -> maps.contains(file))
        .orElseGet(() -> flag("UseSharedSpaces").map(Boolean::parseBoolean).orElse(false));
  }

  /** Options from outside change every figure without a trace in the command. */
  private static List<Check> options() {
    var checks = new ArrayList<Check>();
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      String value = System.getenv(name);
      if (value == null || value.isBlank()) continue;
      checks.add(
          Check.of("java.options." + name, "options")
              .warning(value, name + "=" + value + " is in force for every JVM", "unset " + name));
    }
    String own = System.getenv("RIDGELINE_JVM_OPTS");
    if (own != null && !own.isBlank()) {
      String text = "RIDGELINE_JVM_OPTS=" + own;
      checks.add(Check.of("java.options.RIDGELINE_JVM_OPTS", "options").note(own, text));
    }
    return checks;
  }

  private static Optional<String> flag(String name) {
    try {
      var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return Optional.of(bean.getVMOption(name).getValue());
    } catch (RuntimeException e) {
      return Optional.empty(); // another JVM, or a flag it does not have
    }
  }
}
