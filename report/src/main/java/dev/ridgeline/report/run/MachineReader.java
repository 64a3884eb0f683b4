package dev.ridgeline.report.run;

import dev.ridgeline.report.run.Machine.Jvm;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Asks {@code /proc}, the cgroup and the JVM what they are; what is missing stays unknown. */
final class MachineReader {
  private MachineReader() {}

  /** {@code root} is {@code /}, or a folder that looks like it. */
  static Machine read(Path root) {
    Map<String, String> cpu = fields(root.resolve("proc/cpuinfo"));
    String model = cpu.getOrDefault("model name", cpu.getOrDefault("Model", ""));
    if (model.isEmpty()) model = appleModel();
    return new Machine(
        model,
        Microarchitecture.of(cpu),
        Runtime.getRuntime().availableProcessors(),
        memory(fields(root.resolve("proc/meminfo"))),
        Cgroup.limits(root),
        property("os.name") + " " + property("os.version") + " " + property("os.arch"),
        jvm());
  }

  /** Lines of {@code name : value}; the first of each name counts. */
  private static Map<String, String> fields(Path file) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : lines(file)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.putIfAbsent(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    return fields;
  }

  static List<String> lines(Path file) {
    try {
      // Bytes as Latin-1: whatever a driver put there, it reads.
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException | SecurityException _) {
      return List.of();
    }
  }

  private static long memory(Map<String, String> meminfo) {
    String total = meminfo.getOrDefault("MemTotal", "");
    if (total.matches("\\d{1,15} kB")) {
      return Long.parseLong(total.substring(0, total.length() - 3)) * 1024;
    }
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return system == null ? Machine.UNKNOWN : system.getTotalMemorySize();
  }

  private static Jvm jvm() {
    return new Jvm(
        property("java.vm.name"),
        Runtime.version().toString(),
        jit(property("java.vm.info"), ManagementFactory.getRuntimeMXBean().getInputArguments()),
        gc(
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList()),
        Runtime.getRuntime().maxMemory(),
        ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  static String jit(String info, List<String> flags) {
    if (info.contains("interpreted mode")) return "interpreter";
    if (flags.contains("-XX:+UseJVMCICompiler") || flags.contains("-XX:+UseGraalJIT")) {
      return "Graal";
    }
    boolean stopsAtC1 = flags.stream().anyMatch(f -> f.matches("-XX:TieredStopAtLevel=[123]"));
    return stopsAtC1 || info.contains("emulated-client") ? "C1" : "C2";
  }

  static String gc(List<String> collectors) {
    String first = collectors.isEmpty() ? "" : collectors.getFirst();
    return switch (first.split(" ")[0]) {
      case "PS" -> "Parallel";
      case "Copy", "MarkSweepCompact" -> "Serial";
      case "ZGC" -> "Z";
      case String word -> word;
    };
  }

  private static String appleModel() {
    if (!property("os.name").startsWith("Mac")) return "";
    try {
      Process process = new ProcessBuilder("sysctl", "-n", "machdep.cpu.brand_string").start();
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "";
      }
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException _) {
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String property(String name) {
    return System.getProperty(name, "");
  }
}
