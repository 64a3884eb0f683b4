package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
  @TempDir Path root;

  @Test
  void thisMachineIsReadWithoutComplaint() {
    Machine machine = Machine.here();
    assertThat(machine.cores()).isPositive();
    assertThat(machine.memoryBytes()).isPositive();
    assertThat(machine.jvm().version()).startsWith("" + Runtime.version().feature());
    assertThat(machine.line()).contains(machine.processor(), "JDK " + Runtime.version().feature());
  }

  @Test
  void aSystemWithoutProcIsUnknownButHarmless() {
    Machine machine = MachineReader.read(root.resolve("nowhere"));
    assertThat(machine.microarchitecture()).isEmpty();
    assertThat(machine.limits()).isEqualTo(Machine.Limits.NONE);
    assertThat(machine.memoryBytes()).isPositive();
  }

  @Test
  void procTellsModelAndMemory() throws IOException {
    file(
        "proc/cpuinfo",
        "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 17\nmodel name\t: AMD EPYC\n\n");
    file("proc/meminfo", "MemTotal:       24000000 kB\nMemFree: 1 kB\n");
    Machine machine = MachineReader.read(root);
    assertThat(machine.cpu()).isEqualTo("AMD EPYC");
    assertThat(machine.microarchitecture()).isEqualTo("Zen 4");
    assertThat(machine.memoryBytes()).isEqualTo(24_000_000L * 1024);
  }

  @Test
  void garbageInProcIsUnknownButHarmless() throws IOException {
    file("proc/cpuinfo", "\0\1:\nmodel: \ncpu family:x\n:::\nstepping: 99999999999999999999");
    file("proc/meminfo", "MemTotal: lots");
    file("proc/self/cgroup", "a\n0::/../../..\n1:memory,cpu:\n::");
    file("sys/fs/cgroup/cpu.max", "much");
    assertThat(MachineReader.read(root).limits()).isEqualTo(Machine.Limits.NONE);
  }

  @Test
  void theTightestLimitOfVersionTwoCounts() throws IOException {
    file("proc/self/cgroup", "0::/outer/inner\n");
    file("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
    file("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
    file("sys/fs/cgroup/outer/memory.max", "8000000000\n");
    file("sys/fs/cgroup/outer/inner/memory.max", "9000000000\n");
    assertThat(Cgroup.limits(root)).isEqualTo(new Machine.Limits(1.5, 8_000_000_000L));
  }

  @Test
  void limitsOfVersionOneAreReadToo() throws IOException {
    file("proc/self/cgroup", "4:memory:/box\n1:cpu,cpuacct:/\n");
    file("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1000000\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assertThat(Cgroup.limits(root)).isEqualTo(new Machine.Limits(0.5, 1_000_000));
    file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    assertThat(Cgroup.limits(root).cpus()).isEqualTo(Machine.UNKNOWN);
  }

  @Test
  void aProcessorIsCalledWhatPeopleCallIt() {
    assertThat(processor("Intel(R) Xeon(R) Processor @ 2.50GHz")).isEqualTo("Intel Xeon");
    assertThat(processor("Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz"))
        .isEqualTo("Intel Xeon Platinum 8259CL");
    assertThat(processor("12th Gen Intel(R) Core(TM) i7-1260P"))
        .isEqualTo("12th Gen Intel Core i7-1260P");
    assertThat(processor("AMD EPYC 9654 96-Core Processor")).isEqualTo("AMD EPYC 9654");
    assertThat(processor("AMD EPYC")).isEqualTo("AMD EPYC");
    assertThat(processor("Processor")).isEqualTo("Processor");
  }

  private static String processor(String cpu) {
    Machine.Jvm jvm = new Machine.Jvm("", "25", "", "", 0, List.of());
    return new Machine(cpu, "", 2, 0, Machine.Limits.NONE, "", jvm).processor();
  }

  @Test
  void knownProcessorsAreNamed() {
    assertThat(name("GenuineIntel", 6, 0x8f)).isEqualTo("Sapphire Rapids");
    assertThat(name("AuthenticAMD", 0x19, 1)).isEqualTo("Zen 3");
    assertThat(name("AuthenticAMD", 0x17, 0x31)).isEqualTo("Zen 2");
    assertThat(name("GenuineIntel", 6, 0xfff)).isEmpty();
    assertThat(Microarchitecture.of(Map.of("CPU implementer", "0x41", "CPU part", "0xd40")))
        .isEqualTo("Neoverse V1");
  }

  @Test
  void compilerAndCollectorHaveTheirUsualNames() {
    assertThat(MachineReader.jit("mixed mode, sharing", List.of())).isEqualTo("C2");
    assertThat(MachineReader.jit("interpreted mode", List.of())).isEqualTo("interpreter");
    assertThat(MachineReader.jit("mixed mode, emulated-client", List.of())).isEqualTo("C1");
    assertThat(MachineReader.jit("mixed mode", List.of("-XX:TieredStopAtLevel=3"))).isEqualTo("C1");
    assertThat(MachineReader.jit("mixed mode", List.of("-XX:+UseJVMCICompiler")))
        .isEqualTo("Graal");
    assertThat(MachineReader.gc(List.of("G1 Young Generation"))).isEqualTo("G1");
    assertThat(MachineReader.gc(List.of("ZGC Minor Cycles"))).isEqualTo("Z");
    assertThat(MachineReader.gc(List.of("PS Scavenge"))).isEqualTo("Parallel");
    assertThat(MachineReader.gc(List.of("Copy"))).isEqualTo("Serial");
    assertThat(MachineReader.gc(List.of())).isEmpty();
  }

  @Test
  void aMachineFitsALine() {
    assertThat(SampleRuns.random(1).machine().line())
        .startsWith("AMD EPYC (Zen 4), 2 cores")
        .endsWith("JDK 25.0.3 C2, G1");
  }

  private static String name(String vendor, int family, int model) {
    return Microarchitecture.of(
        Map.of("vendor_id", vendor, "cpu family", "" + family, "model", "" + model));
  }

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    Machine unknown =
        new Machine(
            "",
            "",
            (int) Machine.UNKNOWN,
            Machine.UNKNOWN,
            Machine.Limits.NONE,
            "",
            new Machine.Jvm("", "", "", "", Machine.UNKNOWN, List.of()));
    assertThat(unknown.line()).isEqualTo("unknown CPU");
  }
}
