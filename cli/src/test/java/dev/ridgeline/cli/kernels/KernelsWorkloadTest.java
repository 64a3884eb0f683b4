package dev.ridgeline.cli.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.tensor.Device;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts what scopes allocate")
class KernelsWorkloadTest {
  /** So little that every round has exactly one call. */
  private static final Duration LEAST = Duration.ofNanos(1);

  private static final Scope PRETENDED = Scope.of("pretended");

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
    return mode.kernels().stream().map(Catalogue.Recipe::name).toList();
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
    return new Kernel(
        new Room(Device.cpu(1), name, 7),
        "",
        _ -> {
          try (var scope = Profiler.scope(PRETENDED)) {
            LockSupport.parkNanos(millis * 1_000_000);
            scope.work(bytes, flops);
          }
        },
        new Kernel.Result(1, 1, null));
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
            "broadcast add 1024",
            "rope 128",
            "attention 256");
    assertThat(names(Mode.DEEP))
        .contains("matmul 768", "softmax 256", "softmax 8192", "gelu 1K", "layernorm 4096")
        .contains("matmul backward 512", "attention backward 256")
        .doesNotHaveDuplicates();
    assertThat(names(Mode.ENHANCED))
        .hasSizeGreaterThanOrEqualTo(36)
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
    Taken taken = kernels(Mode.ENHANCED, "matmul 128,softmax 256,gelu 1,add 1K", 1);
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
  void operationsAreThoseOfModelsAndGradientsLieApart() {
    CallTree tree =
        kernels(Mode.DEEP, "softmax 256,attention 128,matmul backward,rmsnorm backward", 1).tree();
    assertThat(tree.find("kernels", "softmax 256", "softmax").calls()).isEqualTo(5);
    assertThat(tree.find("kernels", "attention 128", "heads", "softmax")).isNotNull();
    CallTree.Node backward = tree.find("kernels", "matmul backward 512");
    assertThat(backward.work().flops()).isEqualTo(5L * 4 * 512 * 512 * 512);
    assertThat(tree.find("kernels", "matmul backward 512", "gradient of A", "matmul").calls())
        .isEqualTo(5);
    assertThat(tree.find("kernels", "rmsnorm backward 1024", "rmsnorm backward").calls())
        .isEqualTo(5);
  }

  @Test
  void onlyTheParallelKernelIsARegion() {
    Taken taken = kernels(Mode.STANDARD, "matmul 512", 3);
    CallTree.Node parallel = taken.tree().find("kernels", "matmul 512 parallel", "matmul");
    assertThat(parallel.region().threads()).isBetween(1L, 3L);
    assertThat(parallel.region().tasks()).isGreaterThanOrEqualTo(5);
    assertThat(parallel.work().flops()).isEqualTo(5L * 2 * 512 * 512 * 512);
    assertThat(taken.tree().find("kernels", "matmul 512", "matmul").region()).isNull();
    assertThat(taken.outcome().metrics())
        .extracting(Metric::name)
        .contains("matmul 512, 3 workers against 1");
    assertThat(taken.outcome().plan()).containsEntry("workers of matmul 512 parallel", "3");
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
  void theAllocationStudyPredictsItsBytesExactly() {
    Taken taken = take(new AllocationStudy(LEAST, 7), Level.ALLOCATION);
    CallTree tree = taken.tree();
    long product = 4 * 2 * 128 * 256;
    CallTree.Node allocating = tree.find("allocation", "matmul backward, allocating");
    assertThat(allocating.calls()).isEqualTo(100);
    assertThat(held(taken, "matmul backward, allocating")).isEqualTo(100 * product);
    assertThat(held(taken, "matmul backward, reusing")).isEqualTo(product);
    assertThat(allocating.allocatedBytes()).as("on the heap").isPositive();
    // Not zero: this may be the moment when the JDK makes a faster call of a kernel.
    assertThat(tree.find("allocation", "matmul backward, reusing").allocatedBytes())
        .as("less than an object per call")
        .isBetween(0L, 100L * 16);
    long step = 4 * (4 * 256 * 256 + 4 * 32 * 256 + 32);
    CallTree.Node training = tree.find("allocation", "training step, allocating");
    assertThat(training.calls()).isEqualTo(50);
    assertThat(training.children())
        .extracting(CallTree.Node::name)
        .containsExactly("forward", "loss", "backward", "update");
    assertThat(held(taken, "training step, allocating")).isEqualTo(50 * step);
    assertThat(held(taken, "training step, reusing")).isEqualTo(step);
    assertThat(tree.find("allocation", "training step, reusing").allocatedBytes())
        .isBetween(0L, 50L * 16);
    assertThat(taken.outcome().metrics().getFirst())
        .isEqualTo(Metric.of("matmul backward, saved by reuse", "%", Metric.Better.HIGHER, 99.0));
    assertThat(taken.outcome().conditions().get("matmul backward, allocating"))
        .startsWith("26.2 MB expected, 26.2 MB measured outside the heap; ");
    assertThat(taken.outcome().conditions().get("matmul backward, reusing"))
        .startsWith("262 kB expected, 262 kB measured outside the heap; ");
    assertThat(taken.outcome().wrong()).isEmpty();
  }

  private static long held(Taken taken, String owner) {
    return taken.profile().ledger().stream()
        .filter(entry -> entry.owner().equals(owner))
        .mapToLong(Profile.LedgerEntry::bytes)
        .sum();
  }
}
