package dev.ridgeline.cli.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.ridgeline.report.run.Machine;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JVM: which, with which compiler, collector and heap, and what it was told. */
final class JavaProbe implements Probe {
  private static final int TESTED = 25;
  private static final long SMALL_HEAP = 1L << 29;
  private static final String DROP_FLAG =
      "drop the option from RIDGELINE_JVM_OPTS, JAVA_TOOL_OPTIONS or JDK_JAVA_OPTIONS";

  private final Machine machine;

  JavaProbe(Machine machine) {
    this.machine = machine;
  }

  @Override
  public String topic() {
    return "java";
  }

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
    if (Runtime.version().feature() == TESTED)
      return Check.ok("java.version", "JDK", version, text);
    return Check.note(
        "java.version",
        "JDK",
        version,
        text + "; ridgeline is tested on " + TESTED,
        "RIDGELINE_JAVA=/path/to/jdk-" + TESTED);
  }

  private Check compiler() {
    String jit = machine.jvm().jit();
    return switch (jit) {
      case "C2" -> Check.ok("java.compiler", "compiler", jit, jit);
      case "C1" ->
          Check.problem(
              "java.compiler",
              "compiler",
              jit,
              "C1 only: hot code stays several times slower",
              DROP_FLAG);
      case "interpreter" ->
          Check.problem(
              "java.compiler", "compiler", jit, "none: everything is interpreted", DROP_FLAG);
      default ->
          Check.warning(
              "java.compiler",
              "compiler",
              jit,
              jit + ": see below whether it compiles Vector API code",
              "use a JDK whose top compiler is C2");
    };
  }

  private Check collector() {
    String gc = machine.jvm().gc();
    return Check.ok("java.collector", "collector", gc, gc);
  }

  private Check heap() {
    long max = machine.jvm().heapMaxBytes();
    String text =
        "at most %s, %s now"
            .formatted(Units.bytes(max), Units.bytes(Runtime.getRuntime().totalMemory()));
    if (max >= SMALL_HEAP) return Check.ok("java.heap", "heap", max, text);
    return Check.warning(
        "java.heap",
        "heap",
        max,
        text + ": collections will disturb measurements",
        "RIDGELINE_JVM_OPTS=-Xmx2g");
  }

  private static Check aotCache() {
    String key = "java.aotCache";
    String label = "AOT cache";
    String file = flag("AOTCache").filter(f -> !f.isEmpty()).orElse(null);
    if (file != null && mapped(file)) {
      return Check.ok(key, label, true, "in use: " + Path.of(file).getFileName());
    }
    if (file != null) {
      return Check.note(
          key,
          label,
          false,
          "the JVM refused it, so starting takes longer",
          "rm '" + file + "': the next start makes a new one");
    }
    String why = System.getProperty("ridgeline.aot", "not started by ./ridgeline");
    return Check.note(key, label, false, "none, so starting takes longer: " + why);
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
          Check.warning(
              "java.options." + name,
              "options",
              value,
              name + "=" + value + " is in force for every JVM",
              "unset " + name));
    }
    String own = System.getenv("RIDGELINE_JVM_OPTS");
    if (own != null && !own.isBlank()) {
      String text = "RIDGELINE_JVM_OPTS=" + own;
      checks.add(Check.note("java.options.RIDGELINE_JVM_OPTS", "options", own, text));
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
