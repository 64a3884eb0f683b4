package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether assembled code can run, its tiles, and kept ceilings. Measures nothing. */
record RooflineProbe(CpuFeatures cpu, CeilingsStore store) implements Probe {
  private static final Check.Item KERNELS = Check.of("roofline.kernels", "kernels");
  private static final Check.Item TILES = Check.of("roofline.tiles", "tiles");
  private static final Check.Item ASSEMBLED = Check.of("roofline.assembled", "assembled code");
  private static final Check.Item KEPT = Check.of("roofline.ceilings", "ceilings");

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
    String value = choice.kernels().description();
    if (flag != null) {
      return KERNELS.warning(
          value,
          "%s: slower than what runs here without %s".formatted(value, flag),
          "leave out " + flag + ": see RIDGELINE_JVM_OPTS, JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS");
    }
    if (choice.slow()) {
      return KERNELS.warning(
          value,
          "slow: " + choice.description(),
          "start with ./ridgeline on a JVM with C2, without -Xint, -XX:TieredStopAtLevel or"
              + " UseAVX");
    }
    return KERNELS.ok(value, choice.description());
  }

  private static Check devices() {
    String names =
        DeviceProvider.all().stream()
            .map(DeviceProvider::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return Check.of("roofline.devices", "devices").ok(names, names + " (choose with --device)");
  }

  private static Check tiles() {
    Tiling tiling = Tiling.here();
    if (tiling.complaint() != null) {
      return TILES.warning(tiling.source(), tiling.complaint(), "ridgeline tune --reset");
    }
    return TILES.ok(tiling.source(), tiling.description());
  }

  private Check assembled() {
    return cpu.runnable()
        ? ASSEMBLED.ok(true, "can run")
        : ASSEMBLED.note(false, "cannot run: " + cpu.refusal());
  }

  private Check kept() {
    Optional<Ceilings> kept = store.kept();
    if (kept.isEmpty()) {
      return KEPT.note(null, "not measured yet", "ridgeline roofline");
    }
    Ceilings roof = kept.get();
    String measured = roof.measured().toString();
    String text = "%s, measured %s".formatted(line(roof), measured.replaceFirst("T.*", ""));
    if (store.fresh(roof)) return KEPT.ok(measured, text);
    return KEPT.note(measured, text + ": old", "ridgeline roofline --measure");
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
