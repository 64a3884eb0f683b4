package dev.ridgeline.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.cli.async.HardwareCounters;
import dev.ridgeline.cli.doctor.Check.Status;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.cpu.KernelChoice;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes on machines made of files. */
class ProbesTest {
  private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/";

  @TempDir Path root;

  @Test
  void featuresOfX86AndOfArmAreFound() throws IOException {
    put("proc/cpuinfo", "model name\t: X\nflags\t\t: fpu avx2 fma hypervisor amx_tile\n\n");
    var x86 = checks(new CpuProbe(machine(2, Machine.Limits.NONE), files()));
    assertThat(x86.get("cpu.features").value()).isEqualTo(List.of("avx2", "fma", "amx_tile"));
    assertThat(x86.get("cpu.model").text()).endsWith("in a VM");
    put("proc/cpuinfo", "Features\t: fp asimd asimddp sve\n");
    var arm = checks(new CpuProbe(machine(2, Machine.Limits.NONE), files()));
    assertThat(arm.get("cpu.features").value()).isEqualTo(List.of("asimd", "asimddp", "sve"));
  }

  @Test
  void aSystemWithoutKernelFilesIsExaminedAllTheSame() throws Exception {
    var machine = machine(2, Machine.Limits.NONE);
    Map<String, Probe> probes =
        Map.of(
            "cpu", new CpuProbe(machine, files()),
            "memory", new MemoryProbe(machine, files()),
            "gpu", new GpuProbe(files()),
            "optional", new OptionalProbe(files(), null, () -> 2),
            "noise", new NoiseProbe(files()));
    for (var probe : probes.entrySet()) {
      assertThat(probe.getValue().examine())
          .isNotEmpty()
          .allSatisfy(check -> assertThat(check.key()).startsWith(probe.getKey() + "."))
          .noneMatch(check -> check.status() == Status.PROBLEM);
    }
  }

  @Test
  void oneCoreAndAPowersavingGovernorAreWarnedOf() throws IOException {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    assertThat(statuses(new CpuProbe(machine(1, Machine.Limits.NONE), files())))
        .contains(entry("cpu.cores", Status.WARNING), entry("cpu.governor", Status.WARNING));
  }

  @Test
  void aCpuQuotaIsWarnedOfWithTheCoresToPinInstead() {
    var limits = new Machine.Limits(1.5, 1L << 30);
    var checks = checks(new MemoryProbe(machine(2, limits), files()));
    assertThat(checks.get("memory.container.cpus").fix()).endsWith("--cpuset-cpus=0-1");
    assertThat(checks.get("memory.container.bytes").text()).startsWith("1.1 GB");
  }

  @Test
  void littleAvailableMemoryIsWarnedOf() throws IOException {
    put("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 900000 kB\n");
    assertThat(statuses(new MemoryProbe(machine(2, Machine.Limits.NONE), files())))
        .containsEntry("memory.total", Status.WARNING);
  }

  @Test
  void pagesThatAreNeverLargeAreWarnedOfWithTheCommandThatMendsIt() throws IOException {
    var probe = new MemoryProbe(machine(2, Machine.Limits.NONE), files());
    assertThat(checks(probe)).doesNotContainKey("memory.pages");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    assertThat(checks(probe).get("memory.pages").status()).isEqualTo(Status.OK);
    put("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    assertThat(checks(probe).get("memory.pages").status()).isEqualTo(Status.WARNING);
    assertThat(checks(probe).get("memory.pages").fix()).startsWith("echo madvise | sudo tee /sys/");
  }

  @Test
  void stealIsTheShareOfAllTimeSinceTheStart() throws IOException {
    put("proc/stat", "cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 1 1 1 1\n");
    var probe = new NoiseProbe(files());
    put("proc/stat", "cpu  150 0 0 140 0 0 0 10 0 0\ncpu0 1 1 1 1\n");
    var steal = checks(probe).get("noise.steal");
    assertThat(steal.value()).isEqualTo(0.1);
    assertThat(steal.status()).isEqualTo(Status.WARNING);
  }

  @Test
  void hardwareCountersAreToldByWhatTheKernelAnswers() throws IOException {
    put("proc/sys/kernel/perf_event_paranoid", "4\n");
    assertThat(counters(2).text())
        .startsWith("none: perf_event_open has no hardware counters here (error 2)");
    assertThat(counters(2).fix()).contains("hypervisor");
    assertThat(counters(13).text()).contains("(EACCES, perf_event_paranoid is 4)");
    assertThat(counters(13).fix()).isEqualTo("sudo sysctl kernel.perf_event_paranoid=2");
    put("proc/sys/kernel/perf_event_paranoid", "2\n");
    assertThat(counters(1).fix()).as("a container").contains("--cap-add=PERFMON");
    assertThat(counters(38).text()).isEqualTo("none: this system has no perf_event_open");
    assertThat(counters(0).status()).isEqualTo(Status.OK);
    assertThat(counters(0).text()).isEqualTo("ridgeline profile --sampler async --event cycles");
  }

  @Test
  void theKernelIsAskedForACounterAndAnswers() {
    assertThat(HardwareCounters.refusal()).isNotNegative();
  }

  @Test
  void programsAreFoundOnThePath() throws IOException {
    Path program = put("bin/dot", "#!/bin/sh\n");
    var path = root.resolve("none") + ":" + root.resolve("bin");
    assertThat(checks(new OptionalProbe(files(), path, () -> 2)).get("optional.graphviz").value())
        .isNull();
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThat(checks(new OptionalProbe(files(), path, () -> 2)).get("optional.graphviz").value())
        .isEqualTo(program.toString());
  }

  @Test
  void anNvidiaDeviceIsNamedAndOpenClDriversAreListed() throws IOException {
    put("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 1\n");
    put("etc/OpenCL/vendors/pocl.icd", "libpocl.so");
    var checks = checks(new GpuProbe(files()));
    assertThat(checks.get("gpu.cuda").value()).isEqualTo(List.of("NVIDIA H200"));
    assertThat(checks.get("gpu.openCl").value()).isEqualTo(List.of("pocl.icd"));
  }

  @Test
  void theClockSourceIsNamed() throws IOException {
    put(CLOCK + "current_clocksource", "tsc\n");
    put(CLOCK + "available_clocksource", "tsc kvm-clock\n");
    assertThat(checks(new ClockProbe(files())).get("clock.source").value()).isEqualTo("tsc");
  }

  @Test
  void vectorAndPlainCodeAgreeOnTheDotProduct() {
    assertThat(new DotProduct().agrees()).isTrue();
  }

  @Test
  void slowVectorCodeIsAProblemOnlyWhereTheCompilerHadItsTurn() {
    var interpreted = new VectorProbe.Rates(1_000, 2_000_000, 300_000);
    assertThat(VectorProbe.verdict(interpreted, false).status()).isEqualTo(Status.PROBLEM);
    var busy = VectorProbe.verdict(interpreted, true);
    assertThat(busy.status()).isEqualTo(Status.WARNING);
    assertThat(busy.text()).isEqualTo("could not be measured: the machine is busy");
    assertThat(busy.value()).isNull();
  }

  @Test
  void vectorCodeThatIsCompiledInALaterRoundIsFine() {
    var early = new VectorProbe.Rates(1_000, 2_000_000, 300_000);
    var late = new VectorProbe.Rates(1_200, 100, 0);
    assertThat(early.best(late)).isEqualTo(new VectorProbe.Rates(1_000, 100, 0));
    assertThat(VectorProbe.verdict(early.best(late), true).status()).isEqualTo(Status.OK);
  }

  @Test
  void theWorkOfEveryRepetitionIsDone() {
    var done = new long[2];
    double nanos =
        Stopwatch.nanosEach(
            5_000_000,
            n -> {
              done[0] += n;
              done[1]++;
            });
    assertThat(nanos).isPositive().isLessThan(Double.MAX_VALUE);
    assertThat(done[0]).isGreaterThan(done[1]);
  }

  @Test
  void ceilingsAreToldWhereTheyAreKept() {
    var store = CeilingsStore.in(root);
    var none = new CpuFeatures(Set.of(), List.of(), "this is riscv64, not x86-64");
    var before = checks(new RooflineProbe(none, store));
    assertThat(before.get("roofline.devices").text()).startsWith("cpu (");
    assertThat(before.get("roofline.assembled").text())
        .isEqualTo("cannot run: this is riscv64, not x86-64");
    assertThat(before.get("roofline.ceilings").fix()).isEqualTo("ridgeline roofline");
    assertThat(before.get("roofline.tiles").text()).isEqualTo(Tiling.here().description());
    var rate = new Ceilings.Rate(2e11, 1e11, 3e11);
    var f32 = new Ceilings.Compute(Arithmetic.F32, rate, rate, 0);
    store.write(new Ceilings(Instant.now(), 2, List.of(f32), List.of()));
    var after = checks(new RooflineProbe(none, store)).get("roofline.ceilings");
    assertThat(after.status()).isEqualTo(Status.OK);
    assertThat(after.text()).startsWith("f32 200 GFLOP/s, measured ");
    store.write(new Ceilings(Instant.EPOCH, 2, List.of(f32), List.of()));
    var old = checks(new RooflineProbe(none, store)).get("roofline.ceilings");
    assertThat(old.text()).isEqualTo("f32 200 GFLOP/s, measured 1970-01-01: old");
  }

  @Test
  void kernelsSlowerThanTheMachineAllowsAreAWarningWithTheWayOut() {
    var choice = KernelChoice.made();
    for (String flag :
        List.of(
            "-Dridgeline.kernels=vector",
            "-Dridgeline.kernels=scalar",
            "-Dridgeline.integer=false",
            "-Dridgeline.tier=narrower")) {
      String[] pair = flag.substring(2).split("=");
      String found = SlowPath.flag(name -> name.equals(pair[0]) ? pair[1] : null);
      Check check = RooflineProbe.kernels(choice, found);
      assertThat(check.status()).as(flag).isEqualTo(Status.WARNING);
      assertThat(check.text()).endsWith(": slower than what runs here without " + flag);
      assertThat(check.fix()).startsWith("leave out " + flag);
    }
    assertThat(SlowPath.flag(name -> name.endsWith("kernels") ? "assembled" : null)).isNull();
    Check slow = RooflineProbe.kernels(new KernelChoice(choice.kernels(), "no C2", true), null);
    assertThat(slow.status()).isEqualTo(Status.WARNING);
    assertThat(slow.text()).startsWith("slow: ").endsWith(": no C2");
    Check fast = RooflineProbe.kernels(new KernelChoice(choice.kernels(), "why", false), null);
    assertThat(fast.status()).isEqualTo(Status.OK);
  }

  private Check counters(int answer) {
    return checks(new OptionalProbe(files(), "", () -> answer)).get("optional.perfEvents");
  }

  private KernelFiles files() {
    return new KernelFiles(root);
  }

  private Path put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static Machine machine(int cores, Machine.Limits limits) {
    var jvm = new Machine.Jvm("a JVM", "25", "C2", "G1", 1L << 32, List.of());
    return new Machine("A CPU", "", cores, 1L << 34, limits, "an OS", jvm);
  }

  private static Map<String, Check> checks(Probe probe) {
    return Diagnosis.Section.of("probed", probe).checks().stream()
        .collect(Collectors.toMap(Check::key, check -> check));
  }

  private static Map<String, Status> statuses(Probe probe) {
    return checks(probe).values().stream().collect(Collectors.toMap(Check::key, Check::status));
  }
}
