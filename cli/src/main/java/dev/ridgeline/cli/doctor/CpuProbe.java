package dev.ridgeline.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The processor: model, the features that kernels care about, cores, frequency policy. */
final class CpuProbe implements Probe {
  /** In the kernel's spelling, x86-64 then AArch64. */
  private static final Set<String> TELLING =
      new LinkedHashSet<>(
          List.of(
              "avx",
              "avx2",
              "fma",
              "f16c",
              "avx_vnni",
              "avx512f",
              "avx512bw",
              "avx512vl",
              "avx512_vnni",
              "avx512_bf16",
              "avx512_fp16",
              "amx_tile",
              "amx_int8",
              "amx_bf16",
              "asimd",
              "asimddp",
              "asimdhp",
              "i8mm",
              "bf16",
              "sve",
              "sve2",
              "sme"));

  private final KernelFiles files;

  CpuProbe(KernelFiles files) {
    this.files = files;
  }

  @Override
  public String topic() {
    return "cpu";
  }

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<>(List.of(model(), features(), cores()));
    governor().ifPresent(checks::add);
    return checks;
  }

  private Check model() {
    String arch = System.getProperty("os.arch");
    Optional<String> model =
        files.field("/proc/cpuinfo", "model name").or(() -> sysctl("machdep.cpu.brand_string"));
    boolean virtual = flags().contains("hypervisor");
    String text = model.orElse("unknown model") + ", " + arch + (virtual ? ", in a VM" : "");
    return Check.ok("cpu.model", "model", model.orElse(null), text);
  }

  private Check features() {
    Set<String> all = flags();
    List<String> found = TELLING.stream().filter(all::contains).toList();
    if (found.isEmpty()) {
      return Check.note("cpu.features", "features", found, "this system does not tell");
    }
    return Check.ok("cpu.features", "features", found, String.join(" ", found));
  }

  private Set<String> flags() {
    String flags =
        files
            .field("/proc/cpuinfo", "flags")
            .or(() -> files.field("/proc/cpuinfo", "Features"))
            .or(() -> sysctl("machdep.cpu.leaf7_features").map(String::toLowerCase))
            .orElse("");
    return new LinkedHashSet<>(Arrays.asList(flags.split("\\s+")));
  }

  private static Check cores() {
    int cores = Runtime.getRuntime().availableProcessors();
    if (cores > 1) return Check.ok("cpu.cores", "cores", cores, cores + " for this process");
    return Check.warning(
        "cpu.cores",
        "cores",
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
                    ? Check.warning(
                        "cpu.governor",
                        "frequency",
                        governor,
                        "governor powersave: figures depend on what ran before",
                        "sudo cpupower frequency-set -g performance")
                    : Check.ok("cpu.governor", "frequency", governor, "governor " + governor));
  }

  private static Optional<String> sysctl(String name) {
    if (!System.getProperty("os.name").startsWith("Mac")) return Optional.empty();
    try {
      var process = new ProcessBuilder("/usr/sbin/sysctl", "-n", name).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor(1, TimeUnit.SECONDS);
      return Optional.of(said.strip()).filter(s -> !s.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
