package dev.ridgeline.cli.doctor;

import dev.ridgeline.report.Quantity;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who else used this machine between the probe's making and its examination. */
final class NoiseProbe implements Probe {
  private static final Check.Item STEAL = Check.of("noise.steal", "CPU steal");
  private static final Check.Item LOAD = Check.of("noise.load", "load");

  private static final double MUCH_STEAL = 0.02;

  private final KernelFiles files;
  private final Optional<long[]> atStart;

  NoiseProbe(KernelFiles files) {
    this.files = files;
    this.atStart = cpuTimes();
  }

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    checks.add(steal());
    load().ifPresent(checks::add);
    return checks;
  }

  private Check steal() {
    Optional<long[]> now = cpuTimes();
    if (atStart.isEmpty() || now.isEmpty()) {
      return STEAL.note(null, "this system does not say");
    }
    double steal = stealFraction(atStart.get(), now.get());
    String text = Quantity.percent(steal) + " of CPU time went to other machines meanwhile";
    double value = Math.round(steal * 1e4) / 1e4;
    if (steal < MUCH_STEAL) return STEAL.ok(value, text);
    return STEAL.warning(
        value,
        text,
        "measure at another time or on dedicated cores; compare only interleaved runs");
  }

  private static Optional<Check> load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (load < 0) return Optional.empty();
    int cores = Runtime.getRuntime().availableProcessors();
    String text = String.format(Locale.ROOT, "%.1f on %d cores over the last minute", load, cores);
    double value = Check.round(load);
    return Optional.of(
        load <= cores
            ? LOAD.ok(value, text)
            : LOAD.warning(
                value,
                text + ": others wait for the same cores",
                "stop other work before measuring (see `top`)"));
  }

  /** user, nice, system, idle, iowait, irq, softirq, steal in ticks since boot. */
  private Optional<long[]> cpuTimes() {
    return files
        .text("/proc/stat")
        .flatMap(text -> text.lines().filter(line -> line.startsWith("cpu ")).findFirst())
        .map(l -> Arrays.stream(l.substring(4).strip().split(" +")).mapToLong(Long::parseLong))
        .map(times -> times.limit(8).toArray())
        .filter(times -> times.length == 8);
  }

  static double stealFraction(long[] before, long[] after) {
    long total = Arrays.stream(after).sum() - Arrays.stream(before).sum();
    return total <= 0 ? 0 : (after[7] - before[7]) / (double) total;
  }
}
