package dev.ridgeline.cli.doctor;

import dev.ridgeline.report.run.Machine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The processor: model, the features that kernels care about, cores, frequency policy. */
record CpuProbe(Machine machine, KernelFiles files) implements Probe {
  private static final Check.Item FEATURES = Check.of("cpu.features", "features");
  private static final Check.Item CORES = Check.of("cpu.cores", "cores");
  private static final Check.Item GOVERNOR = Check.of("cpu.governor", "frequency");

  /** In the kernel's spelling, x86-64 then AArch64. */
  private static final List<String> TELLING =
      List.of(
          ("avx avx2 fma f16c avx_vnni avx512f avx512bw avx512vl avx512_vnni avx512_bf16"
                  + " avx512_fp16 amx_tile amx_int8 amx_bf16"
                  + " asimd asimddp asimdhp i8mm bf16 sve sve2 sme")
              .split(" "));

  @Override
  public List<Check> examine() {
    Set<String> flags = flags();
    var checks = new ArrayList<>(List.of(model(flags), features(flags), cores()));
    governor().ifPresent(checks::add);
    return checks;
  }

  private Check model(Set<String> flags) {
    var text = new StringBuilder(machine.cpu().isEmpty() ? "unknown model" : machine.cpu());
    if (!machine.microarchitecture().isEmpty()) {
      text.append(" (").append(machine.microarchitecture()).append(')');
    }
    text.append(", ").append(machine.os());
    if (flags.contains("hypervisor")) text.append(", in a VM");
    return Check.of("cpu.model", "model").ok(machine.cpu(), text.toString());
  }

  private static Check features(Set<String> flags) {
    List<String> found = TELLING.stream().filter(flags::contains).toList();
    if (found.isEmpty()) {
      return FEATURES.note(found, "this system does not say");
    }
    return FEATURES.ok(found, String.join(" ", found));
  }

  private Set<String> flags() {
    String flags =
        files
            .field("/proc/cpuinfo", "flags")
            .or(() -> files.field("/proc/cpuinfo", "Features"))
            .orElse("");
    return new HashSet<>(Arrays.asList(flags.split(" ")));
  }

  private Check cores() {
    int cores = machine.cores();
    if (cores > 1) return CORES.ok(cores, cores + " for this process");
    return CORES.warning(
        cores,
        "1 for this process: compiler and collector work inside every measurement",
        "give the container or VM a second core");
  }

  private Optional<Check> governor() {
    return files
        .text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        .map(
            governor ->
                governor.equals("powersave")
                    ? GOVERNOR.warning(
                        governor,
                        "governor powersave: figures depend on what ran before",
                        "sudo cpupower frequency-set -g performance")
                    : GOVERNOR.ok(governor, "governor " + governor));
  }
}
