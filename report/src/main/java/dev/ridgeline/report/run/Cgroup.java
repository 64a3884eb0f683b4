package dev.ridgeline.report.run;

import dev.ridgeline.report.run.Machine.Limits;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The CPU and memory limits of this process' control group, in both versions of the interface. */
final class Cgroup {
  /** Version 1 says "no limit" with a number near 2⁶³. */
  private static final long NO_LIMIT = 1L << 60;

  private Cgroup() {}

  static Limits limits(Path root) {
    Path mount = root.resolve("sys/fs/cgroup");
    double cpus = Double.POSITIVE_INFINITY;
    long memory = NO_LIMIT;
    for (String line : MachineReader.lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) continue;
      List<String> controllers = Arrays.asList(parts[1].split(","));
      if (parts[1].isEmpty()) {
        for (Path group : upwards(mount, parts[2])) {
          cpus = Math.min(cpus, quota(words(group.resolve("cpu.max"))));
          memory = Math.min(memory, bytes(words(group.resolve("memory.max"))));
        }
      }
      if (controllers.contains("cpu")) {
        for (Path group : upwards(mount.resolve("cpu"), parts[2])) {
          String[] quota = words(group.resolve("cpu.cfs_quota_us"));
          String[] period = words(group.resolve("cpu.cfs_period_us"));
          cpus = Math.min(cpus, quota(new String[] {quota[0], period[0]}));
        }
      }
      if (controllers.contains("memory")) {
        for (Path group : upwards(mount.resolve("memory"), parts[2])) {
          memory = Math.min(memory, bytes(words(group.resolve("memory.limit_in_bytes"))));
        }
      }
    }
    return new Limits(
        Double.isFinite(cpus) ? cpus : Machine.UNKNOWN,
        memory < NO_LIMIT ? memory : Machine.UNKNOWN);
  }

  /** The group and those around it, each of which may set the limit that counts. */
  private static List<Path> upwards(Path mount, String group) {
    Path path = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    return Stream.iterate(
            path.startsWith(mount) ? path : mount,
            up -> up != null && up.startsWith(mount),
            Path::getParent)
        .toList();
  }

  private static String[] words(Path file) {
    List<String> lines = MachineReader.lines(file);
    return lines.isEmpty() ? new String[] {""} : lines.getFirst().strip().split("\\s+");
  }

  private static double quota(String[] quotaAndPeriod) {
    if (quotaAndPeriod.length < 2) return Double.POSITIVE_INFINITY;
    double quota = number(quotaAndPeriod[0]);
    double period = number(quotaAndPeriod[1]);
    return quota > 0 && period > 0 ? quota / period : Double.POSITIVE_INFINITY;
  }

  private static long bytes(String[] words) {
    long bytes = number(words[0]);
    return bytes > 0 ? bytes : NO_LIMIT;
  }

  private static long number(String word) {
    return word.matches("\\d{1,18}") ? Long.parseLong(word) : -1;
  }
}
