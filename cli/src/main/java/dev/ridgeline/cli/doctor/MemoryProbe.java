package dev.ridgeline.cli.doctor;

import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.LargePages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Memory, and the limits that a container sets. */
record MemoryProbe(Machine machine, KernelFiles files) implements Probe {
  private static final Check.Item PAGES = Check.of("memory.pages", "large pages");
  private static final Check.Item TOTAL = Check.of("memory.total", "memory");

  private static final long LITTLE = 1L << 31;

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    checks.add(memory());
    cpuQuota().ifPresent(checks::add);
    memoryLimit().ifPresent(checks::add);
    if (checks.size() == 1) {
      checks.add(Check.of("memory.container", "container").ok("none", "no limits"));
    }
    files.text(LargePages.SETTING).map(MemoryProbe::largePages).ifPresent(checks::add);
    return checks;
  }

  /** Without them weights are read up to a third slower. */
  private static Check largePages(String setting) {
    return switch (LargePages.Setting.of(setting)) {
      case ALWAYS -> PAGES.ok("always", "given to everybody: weights have them");
      case MADVISE -> PAGES.ok("madvise", "given to those who ask: weights do");
      case NEVER ->
          PAGES.warning(
              "never",
              "given to nobody: weights larger than the caches are read more slowly",
              "echo madvise | sudo tee " + LargePages.SETTING);
    };
  }

  private Check memory() {
    long total = machine.memoryBytes();
    if (total < 0) return TOTAL.note(null, "this system does not say");
    Optional<Long> available =
        files
            .field("/proc/meminfo", "MemAvailable")
            .map(kib -> Long.parseLong(kib.split(" ")[0]) << 10);
    String text =
        Quantity.bytes(total)
            + available.map(b -> ", " + Quantity.bytes(b) + " available").orElse("");
    if (available.orElse(total) >= LITTLE) return TOTAL.ok(total, text);
    return TOTAL.warning(
        total,
        text + ": models may be swapped out or killed",
        "stop other programs or give the machine more");
  }

  /** The kernel stops all threads once the quota of a period is used: pauses in every scope. */
  private Optional<Check> cpuQuota() {
    double cpus = machine.limits().cpus();
    if (cpus == Machine.UNKNOWN) return Optional.empty();
    int last = Math.max(0, (int) Math.ceil(cpus) - 1);
    return Optional.of(
        Check.of("memory.container.cpus", "CPU quota")
            .warning(
                cpus,
                Check.round(cpus) + " cores' worth of time: threads are paused when it is used up",
                "give whole cores instead: docker run --cpuset-cpus=0"
                    + (last == 0 ? "" : "-" + last)));
  }

  private Optional<Check> memoryLimit() {
    long bytes = machine.limits().memoryBytes();
    if (bytes == Machine.UNKNOWN) return Optional.empty();
    String text = Quantity.bytes(bytes) + " for everything in the container";
    return Optional.of(Check.of("memory.container.bytes", "memory limit").note(bytes, text));
  }
}
