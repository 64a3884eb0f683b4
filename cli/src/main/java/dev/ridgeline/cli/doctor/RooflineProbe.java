package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.kernel.KernelChoice;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether assembled code can run, its tiles, and kept ceilings. Measures nothing. */
final class RooflineProbe implements Probe {
  private static final String KEPT = "roofline.ceilings";

  private final CpuFeatures cpu;
  private final CeilingsStore store;

  RooflineProbe(CpuFeatures cpu, CeilingsStore store) {
    this.cpu = cpu;
    this.store = store;
  }

  @Override
  public String topic() {
    return "roofline";
  }

  @Override
  public List<Check> examine() {
    Check kernels = kernels(KernelChoice.made(), SlowPath.flag(System::getProperty));
    return List.of(devices(), assembled(), kernels, tiles(), kept());
  }

  /**
   * Whether they are the fastest of this machine.
   *
   * @param flag what keeps those away, or null
   */
  static Check kernels(KernelChoice choice, String flag) {
    String key = "roofline.kernels";
    String label = "kernels";
    String value = choice.kernels().description();
    if (flag != null) {
      return Check.warning(
          key,
          label,
          value,
          "%s: slower than what runs here without %s".formatted(value, flag),
          "leave out " + flag + ": see RIDGELINE_JVM_OPTS, JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS");
    }
    if (choice.slow()) {
      return Check.warning(
          key,
          label,
          value,
          "slow: " + choice.description(),
          "start with ./ridgeline on a JVM with C2, without -Xint, -XX:TieredStopAtLevel or"
              + " UseAVX");
    }
    return Check.ok(key, label, value, choice.description());
  }

  private static Check devices() {
    String names =
        DeviceProvider.all().stream()
            .map(DeviceProvider::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return Check.ok("roofline.devices", "devices", names, names + " (choose with --device)");
  }

  private static Check tiles() {
    Tiling tiling = Tiling.here();
    if (tiling.complaint() != null) {
      return Check.warning(
          "roofline.tiles", "tiles", tiling.source(), tiling.complaint(), "ridgeline tune --reset");
    }
    return Check.ok("roofline.tiles", "tiles", tiling.source(), tiling.description());
  }

  private Check assembled() {
    String key = "roofline.assembled";
    String label = "assembled code";
    return cpu.runnable()
        ? Check.ok(key, label, true, "can run")
        : Check.note(key, label, false, "cannot run: " + cpu.refusal());
  }

  private Check kept() {
    Optional<Ceilings> kept = store.kept();
    if (kept.isEmpty()) {
      return Check.note(KEPT, "ceilings", null, "not measured yet", "ridgeline roofline");
    }
    Ceilings roof = kept.get();
    String measured = roof.measured().toString();
    String text = "%s, measured %s".formatted(line(roof), measured.replaceFirst("T.*", ""));
    if (store.fresh(roof)) return Check.ok(KEPT, "ceilings", measured, text);
    return Check.note(KEPT, "ceilings", measured, text + ": old", "ridgeline roofline --measure");
  }

  /** {@code f32 231 GFLOP/s, int8 933 GOP/s, DRAM 41.0 GB/s}. */
  private static String line(Ceilings roof) {
    List<String> parts = new ArrayList<>();
    for (Compute each : roof.fastest()) {
      String rate = Quantity.number(each.all().typical() / 1e9);
      parts.add("%s %s %s".formatted(each.kind().numbers(), rate, each.kind().unit()));
    }
    roof.memory(Level.DRAM)
        .map(memory -> Quantity.number(memory.all().read().typical() / 1e9))
        .ifPresent(rate -> parts.add("DRAM " + rate + " GB/s"));
    return String.join(", ", parts);
  }
}
