package dev.ridgeline.lab.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.lab.roofline.CeilingsProbe.Effort;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Cache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CeilingsProbeTest {
  private static final Effort LITTLE = new Effort(2, 2, 20_000, 16 << 20);
  private static final Caches CACHES =
      new Caches(List.of(new Cache(1, 32 << 10, 1), new Cache(2, 1 << 20, 1)));

  @Test
  void everyLevelAndKindIsMeasured() {
    CpuFeatures cpu = CpuFeatures.here();
    Ceilings roof = CeilingsProbe.measure(cpu, CACHES, 2, LITTLE, Progress.SILENT);
    assertThat(roof.cores()).isEqualTo(2);
    assertThat(roof.memory())
        .extracting(Ceilings.Memory::level)
        .containsExactly(Level.L1, Level.L2, Level.DRAM);
    assertThat(roof.memory())
        .extracting(Ceilings.Memory::bytes)
        .containsExactly(32L << 10, 1L << 20, 0L);
    assertThat(roof.compute(Arithmetic.F32)).isPresent();
    for (Arithmetic kind : Arithmetic.values()) {
      if (kind == Arithmetic.F32) continue;
      assertThat(roof.compute())
          .filteredOn(each -> each.kind() == kind)
          .extracting(Ceilings.Compute::bits)
          .isEqualTo(MachineLoops.widths(kind, cpu));
    }
  }

  @Test
  void aMachineWithoutAssembledCodeHasCeilingsToo() {
    var nothing = new CpuFeatures(Set.of(), List.of(), "none");
    Ceilings roof = CeilingsProbe.measure(nothing, CACHES, 1, LITTLE, Progress.SILENT);
    assertThat(roof.compute()).extracting(Ceilings.Compute::kind).containsExactly(Arithmetic.F32);
    assertThat(roof.memory()).hasSize(3);
  }

  @Test
  void memoryIsMeasuredBeyondAllCaches() {
    var shared = new Caches(List.of(new Cache(3, 32 << 20, 4)));
    assertThat(memory(shared, 2, 64L << 30)).isEqualTo(256 << 20);
    assertThat(memory(shared, 8, 64L << 30)).isEqualTo(512 << 20);
    assertThat(memory(new Caches(List.of()), 2, 64L << 30)).isEqualTo(256 << 20);
    // Rather not quite beyond them than out of memory.
    assertThat(memory(shared, 8, 1 << 30)).isEqualTo(128 << 20);
    assertThat(memory(shared, 8, 1 << 20)).isEqualTo(64 << 20);
  }

  private static long memory(Caches caches, int threads, long limit) {
    var jvm = new Machine.Jvm("", "", "", "", 0, List.of());
    var limits = new Machine.Limits(Machine.UNKNOWN, limit);
    var machine = new Machine("", "", threads, 64L << 30, limits, "", jvm);
    return Effort.usual(caches, threads, machine).memory();
  }

  @Test
  void cachesAreReadAsTheSystemTellsThem(@TempDir Path root) throws IOException {
    index(root, 0, "1", "Data", "48K", "0,4");
    index(root, 1, "1", "Instruction", "32K", "0,4");
    index(root, 2, "2", "Unified", "2048K", "0,4");
    index(root, 3, "3", "Unified", "36M", "0-7");
    index(root, 4, "4", "Unified", "?", "0");
    assertThat(Caches.told(root).all())
        .containsExactly(
            new Cache(1, 48 << 10, 2), new Cache(2, 2 << 20, 2), new Cache(3, 36 << 20, 8));
    assertThat(Caches.told(root.resolve("nowhere")).all()).isEmpty();
  }

  private static void index(
      Path root, int index, String level, String type, String size, String shared)
      throws IOException {
    Path folder =
        Files.createDirectories(root.resolve("sys/devices/system/cpu/cpu0/cache/index" + index));
    Files.writeString(folder.resolve("level"), level + "\n");
    Files.writeString(folder.resolve("type"), type + "\n");
    Files.writeString(folder.resolve("size"), size + "\n");
    Files.writeString(folder.resolve("shared_cpu_list"), shared + "\n");
  }

  @Test
  void aLoadThatFailsFailsTheTeam() {
    Load fine = new Counting(Integer.MAX_VALUE);
    var team = new Team(List.of(fine, new Counting(3)), 1000);
    assertThatThrownBy(() -> team.best(5)).hasMessage("enough");
  }

  /** Fails from some piece on. */
  private static final class Counting implements Load {
    private int left;

    Counting(int left) {
      this.left = left;
    }

    @Override
    public void run() {
      if (left-- <= 0) throw new IllegalStateException("enough");
    }

    @Override
    public double amount() {
      return 1;
    }
  }
}
