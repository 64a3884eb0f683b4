package dev.ridgeline.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Memory, and the limits that a container sets. */
final class MemoryProbe implements Probe {
  private static final long LITTLE = 1L << 31;

  private final KernelFiles files;

  MemoryProbe(KernelFiles files) {
    this.files = files;
  }

  @Override
  public String topic() {
    return "memory";
  }

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    checks.add(memory());
    checks.addAll(container());
    return checks;
  }

  private Check memory() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long total = system.getTotalMemorySize();
    long available =
        files
            .field("/proc/meminfo", "MemAvailable")
            .map(kib -> Long.parseLong(kib.split(" ")[0]) << 10)
            .orElseGet(system::getFreeMemorySize);
    String text =
        Units.bytes(total) + ", " + Units.bytes(Math.min(total, available)) + " available";
    if (available >= LITTLE) return Check.ok("memory.total", "memory", total, text);
    return Check.warning(
        "memory.total",
        "memory",
        total,
        text + ": models may be swapped out or killed",
        "stop other programs or give the container more");
  }

  private List<Check> container() {
    var limits = ContainerLimits.read(files);
    var checks = new ArrayList<Check>();
    if (limits.cpus() > 0) {
      String text = "%s cores' worth of time".formatted(Units.round(limits.cpus()));
      // The kernel stops all threads once the quota of a period is used: long pauses in every
      // scope.
      checks.add(
          Check.warning(
              "container.cpus",
              "CPU quota",
              limits.cpus(),
              text + ": threads are paused when it is used up",
              "pin cores instead: docker run --cpuset-cpus=0-%d"
                  .formatted(Math.max(0, (int) Math.ceil(limits.cpus()) - 1))));
    }
    if (limits.memoryBytes() > 0) {
      String text = Units.bytes(limits.memoryBytes()) + " for everything in the container";
      checks.add(Check.note("container.memory", "memory limit", limits.memoryBytes(), text));
    }
    if (checks.isEmpty()) {
      checks.add(Check.ok("container.limits", "container", "none", "no limits"));
    }
    return checks;
  }
}
