package dev.ridgeline.cli.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.profile.Outcome;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.report.run.Metric;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts what scopes allocate")
class KernelsWorkloadTest {
  /** So little that every round has exactly one call. */
  private static final Duration LEAST = Duration.ofNanos(1);

  private record Taken(Profile profile, CallTree tree, Outcome outcome) {}

  private static Taken take(Workload workload, Level level) {
    try (workload) {
      workload.warmUp(Progress.silent());
      Profiler.start(Options.of(level).withoutCalibration());
      Profile profile;
      try {
        workload.measure(Progress.silent());
      } finally {
        profile = Profiler.stop();
      }
      return new Taken(profile, profile.tree(), workload.outcome(profile));
    }
  }

  private static Taken kernels(Mode mode, String filter, int threads) {
    return take(Kernels.of(mode, filter, threads, LEAST, 7), Level.ALLOCATION);
  }

  private static List<String> names(Mode mode) {
    List<Kernel> kernels = mode.kernels(7, 1);
    kernels.forEach(Kernel::close);
    return kernels.stream().map(Kernel::name).toList();
  }

  /** The fastest is another one from run to run. */
  @Test
  void theLargestKernelsComeFirstHoweverFastOthersAre() {
    List<Kernel> kernels =
        List.of(
            pretend("matmul 128", 1_000, 1L << 50, 0),
            pretend("matmul 256", 2_000, 1L << 20, 0),
            pretend("add 1k", 1_000, 0, 0),
            pretend("add 2k", 2_000, 0, 5));
    Workload workload = new KernelsWorkload(Mode.STANDARD, kernels, LEAST, 7);
    assertThat(take(workload, Level.TIME).outcome().metrics())
        .extracting(Metric::name)
        .startsWith("matmul 256", "add 2k");
  }

  /** A kernel that says what it does, and does nothing for so long. */
  private static Kernel pretend(String name, long bytes, long flops, long millis) {
    return new Kernel() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String shape() {
        return "";
      }

      @Override
      public Profile.Work work() {
        return new Profile.Work(bytes, flops);
      }

      @Override
      public void run() {
        LockSupport.parkNanos(millis * 1_000_000);
      }

      @Override
      public float[][] output() {
        return new float[1][1];
      }

      @Override
      public Reference reference(int row, int column) {
        return new Reference(0, 0);
      }
    };
  }

  @Test
  void modesHoldWhatTheyPromise() {
    assertThat(names(Mode.STANDARD))
        .containsExactly(
            "matmul 128",
            "matmul 256",
            "matmul 512",
            "matmul 1024",
            "matmul 512 parallel",
            "softmax 2048",
            "gelu 1M",
            "layernorm 1024",
            "rmsnorm 1024",
            "add 1M",
            "multiply 1M",
            "broadcast add 1024");
    assertThat(names(Mode.DEEP))
        .contains("matmul 768", "softmax 256", "softmax 8192", "gelu 1K", "layernorm 4096");
    assertThat(names(Mode.ENHANCED))
        .hasSizeGreaterThanOrEqualTo(28)
        .containsAll(names(Mode.STANDARD))
        .doesNotHaveDuplicates();
  }

  @Test
  void aRateComesFirstWhateverIsAskedFor() {
    for (String filter : List.of("softmax 256", "gelu 1K", "matmul 128")) {
      List<Metric> metrics = kernels(Mode.ENHANCED, filter, 1).outcome().metrics();
      assertThat(metrics.getFirst().better()).as(filter).isEqualTo(Metric.Better.HIGHER);
    }
  }

  @Test
  void everyKernelIsCalledOnceARoundUnderOneRoot() {
    Taken taken = kernels(Mode.ENHANCED, "matmul 128,softmax 256,gelu,add 1K", 1);
    assertThat(taken.tree().root().children()).hasSize(1);
    CallTree.Node all = taken.tree().find("kernels");
    assertThat(all.calls()).isEqualTo(5);
    assertThat(all.children())
        .extracting(CallTree.Node::name)
        .containsExactly(
            "matmul 128", "softmax 256", "gelu 1K", "gelu 10K", "gelu 100K", "gelu 1M", "add 1K");
    assertThat(all.children()).allMatch(kernel -> kernel.calls() == 5);
    assertThat(taken.tree().find("kernels", "matmul 128").work())
        .isEqualTo(new Profile.Work(5L * 3 * 4 * 128 * 128, 5L * 2 * 128 * 128 * 128));
    assertThat(taken.profile().slips()).isEqualTo(Profile.Slips.NONE);
    assertThat(taken.outcome().wrong()).isEmpty();
  }

  @Test
  void deepModeOpensPanelsAndPasses() {
    CallTree tree = kernels(Mode.DEEP, "matmul 192,softmax 256,layernorm 256", 1).tree();
    for (int panel = 0; panel < 3; panel++) {
      assertThat(tree.find("kernels", "matmul 192", "k panel " + panel).calls()).isEqualTo(5);
    }
    CallTree.Node softmax = tree.find("kernels", "softmax 256");
    assertThat(softmax.children())
        .extracting(CallTree.Node::name)
        .containsExactly("max", "exp-sum", "scale");
    // 256 rows in blocks of 64, five calls.
    assertThat(softmax.children()).allMatch(pass -> pass.calls() == 20);
    assertThat(softmax.children().stream().mapToLong(pass -> pass.work().flops()).sum())
        .isEqualTo(softmax.work().flops());
    assertThat(tree.find("kernels", "layernorm 256", "normalise").calls()).isEqualTo(20);
  }

  @Test
  void theParallelKernelIsARegionWithOneTaskAThread() {
    Taken taken = kernels(Mode.STANDARD, "matmul 512", 3);
    CallTree.Region region = taken.tree().find("kernels", "matmul 512 parallel").region();
    assertThat(region.tasks()).isEqualTo(15);
    assertThat(region.threads()).isBetween(2L, 3L);
    assertThat(region.imbalance()).isGreaterThanOrEqualTo(1);
    assertThat(taken.tree().find("kernels", "matmul 512 parallel", "band").work().flops())
        .isEqualTo(5L * 2 * 512 * 512 * 512);
    assertThat(taken.outcome().metrics())
        .extracting(Metric::name)
        .contains("matmul 512, 3 threads against 1");
  }

  @Test
  void kernelsAllocateNothingWhileTheyAreMeasured() {
    Taken taken = kernels(Mode.ENHANCED, "matmul 128,softmax 256,gelu 1K,norm 256,add 1K", 1);
    assertThat(taken.tree().find("kernels").children())
        .allMatch(kernel -> kernel.allocatedBytes() == 0);
  }

  @Test
  void metricsHaveASampleARoundAndTheUnitThatLimits() {
    List<Metric> metrics = kernels(Mode.STANDARD, "matmul 128,add 1M", 1).outcome().metrics();
    assertThat(metrics.getFirst().name()).isEqualTo("matmul 128");
    assertThat(metrics.getFirst().unit()).isEqualTo("GFLOP/s");
    assertThat(metrics.getFirst().samples()).hasSize(5);
    assertThat(metrics.get(1).name()).isEqualTo("add 1M");
    assertThat(metrics.get(1).unit()).isEqualTo("GB/s");
    assertThat(metrics).doesNotHaveDuplicates();
  }

  @Test
  void theDigestDependsOnTheSeedAndNotOnRepetitions() {
    String few = digest(LEAST, 7);
    assertThat(digest(Duration.ofMillis(20), 7)).isEqualTo(few);
    assertThat(digest(LEAST, 8)).isNotEqualTo(few);
    // The same on every machine: neither fused operations nor the platform's exp are used.
    assertThat(few).isEqualTo("sha256:4bec7913c17987f5ab93ec2c5414e0a2");
  }

  private static String digest(Duration budget, long seed) {
    return take(
            Kernels.of(Mode.ENHANCED, "matmul 128,softmax 256,gelu 1K,norm", 2, budget, seed),
            Level.TIME)
        .outcome()
        .digest();
  }

  @Test
  void aFilterThatFitsNothingListsWhatThereIs() {
    assertThatThrownBy(() -> Kernels.of(Mode.STANDARD, "conv", 2, LEAST, 7))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith("no kernel matches 'conv'; standard has matmul 128, ");
  }

  @Test
  void theAllocationStudyForetellsItsBytes() {
    Taken taken = take(new AllocationStudy(LEAST, 7), Level.ALLOCATION);
    CallTree tree = taken.tree();
    CallTree.Node allocating = tree.find("allocation", "matmul backward, allocating");
    assertThat(allocating.calls()).isEqualTo(100);
    long expected = 100L * 4 * 2 * 128 * 256;
    assertThat(allocating.allocatedBytes()).isBetween(expected, expected * 105 / 100);
    assertThat(tree.find("allocation", "matmul backward, reusing").allocatedBytes()).isZero();
    CallTree.Node step = tree.find("allocation", "training step, allocating");
    assertThat(step.calls()).isEqualTo(50);
    assertThat(step.children())
        .extracting(CallTree.Node::name)
        .containsExactly("forward", "loss", "backward", "update");
    long expectedStep = 50L * 4 * (5 * 32 * 256 + 4 * 256 * 256);
    assertThat(step.allocatedBytes()).isBetween(expectedStep, expectedStep * 105 / 100);
    assertThat(tree.find("allocation", "training step, reusing").allocatedBytes()).isZero();
    assertThat(taken.outcome().metrics().getFirst())
        .isEqualTo(Metric.of("matmul backward, saved by reuse", "%", Metric.Better.HIGHER, 100.0));
    assertThat(taken.outcome().plan().get("matmul backward, allocating"))
        .startsWith("25.0 MiB expected");
    assertThat(taken.outcome().wrong()).isEmpty();
  }
}
