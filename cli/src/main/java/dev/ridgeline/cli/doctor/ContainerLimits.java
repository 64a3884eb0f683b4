package dev.ridgeline.cli.doctor;

import java.util.List;
import java.util.Optional;

/**
 * What control groups allow this process, version 1 or 2.
 *
 * @param cpus cores' worth of CPU time, 0 when unlimited
 * @param memoryBytes 0 when unlimited
 */
record ContainerLimits(double cpus, long memoryBytes) {
  /** Version 1 writes "unlimited" as a number close to 2⁶³. */
  private static final long UNLIMITED = 1L << 60;

  static ContainerLimits read(KernelFiles files) {
    return new ContainerLimits(
        cpus2(files).or(() -> cpus1(files)).orElse(0.0),
        memory(files).filter(bytes -> bytes < UNLIMITED).orElse(0L));
  }

  /** {@code max 100000} or {@code 150000 100000}: quota and period in microseconds. */
  private static Optional<Double> cpus2(KernelFiles files) {
    return files
        .text("/sys/fs/cgroup" + group(files, "") + "/cpu.max")
        .or(() -> files.text("/sys/fs/cgroup/cpu.max"))
        .map(text -> text.split(" "))
        .filter(parts -> parts.length == 2)
        .map(p -> p[0].equals("max") ? 0 : Double.parseDouble(p[0]) / Double.parseDouble(p[1]));
  }

  private static Optional<Double> cpus1(KernelFiles files) {
    for (String folder : folders1(files, "cpu")) {
      var quota = files.number(folder + "/cpu.cfs_quota_us");
      var period = files.number(folder + "/cpu.cfs_period_us");
      if (quota.isPresent() && period.isPresent()) {
        return Optional.of(quota.get() <= 0 ? 0 : quota.get() / (double) period.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<Long> memory(KernelFiles files) {
    var limit =
        files
            .number("/sys/fs/cgroup" + group(files, "") + "/memory.max")
            .or(() -> files.number("/sys/fs/cgroup/memory.max"));
    if (limit.isPresent()) return limit;
    for (String folder : folders1(files, "memory")) {
      limit = files.number(folder + "/memory.limit_in_bytes");
      if (limit.isPresent()) return limit;
    }
    return Optional.empty();
  }

  /** Seen from inside a container the group's own path is often not there: then the root's. */
  private static String[] folders1(KernelFiles files, String controller) {
    String root = "/sys/fs/cgroup/" + controller;
    return new String[] {root + group(files, controller), root};
  }

  /** The group's path from {@code /proc/self/cgroup}; version 2 has an empty controller. */
  private static String group(KernelFiles files, String controller) {
    return files
        .text("/proc/self/cgroup")
        .flatMap(
            text ->
                text.lines()
                    .map(line -> line.split(":", 3))
                    .filter(f -> f.length == 3)
                    .filter(f -> List.of(f[1].split(",")).contains(controller))
                    .map(f -> f[2].equals("/") ? "" : f[2])
                    .findFirst())
        .orElse("");
  }
}
