package dev.ridgeline.cli.kernels;

import static dev.ridgeline.oracle.OtherJvm.INTERPRETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.ridgeline.cli.kernels.Pointwise.Operation;
import dev.ridgeline.oracle.OtherJvm;
import dev.ridgeline.profiler.Profile.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class KernelTest {
  static final long SEED = 20261115;

  /** One of every family, with sizes that no unrolling divides. */
  static List<Kernel> odd(Random random, boolean fine) {
    long seed = random.nextLong();
    int m = 1 + random.nextInt(90);
    int k = 1 + random.nextInt(150);
    int n = 1 + random.nextInt(90);
    int threads = 1 + random.nextInt(4);
    List<Kernel> all = new ArrayList<>();
    all.add(new MatMul("matmul " + m + " " + k + " " + n, m, k, n, seed, fine));
    all.add(new ParallelMatMul(m, threads, seed));
    all.add(new Softmax(m, n, seed, fine));
    all.add(new Gelu(n, seed));
    all.add(new LayerNorm(m, n + 1, seed, fine));
    all.add(new RmsNorm(m, n, seed));
    all.add(Pointwise.of(Operation.ADD, n, seed));
    all.add(Pointwise.of(Operation.MULTIPLY, n, seed));
    all.add(Pointwise.broadcastAdd(m, n, seed));
    for (Memory memory : Memory.values()) {
      all.add(new MatMulBackward(m, k, n, seed, memory));
      all.add(new TrainingStep(1 + m % 5, 1 + n % 13, seed, memory));
    }
    return all;
  }

  @Test
  void everyElementAgreesWithItsReferenceAtOddSizes() {
    for (long seed = SEED; seed < SEED + 40; seed++) {
      for (Kernel kernel : odd(new Random(seed), seed % 2 == 0)) {
        kernel.run();
        agrees(kernel, seed);
        kernel.close();
      }
    }
  }

  private static void agrees(Kernel kernel, long seed) {
    float[][] output = kernel.output();
    for (int row = 0; row < output.length; row++) {
      for (int column = 0; column < output[row].length; column++) {
        Kernel.Reference reference = kernel.reference(row, column);
        assertThat((double) output[row][column])
            .as("seed %d, %s [%d][%d]", seed, kernel.name(), row, column)
            .isCloseTo(reference.value(), offset(reference.tolerance()));
      }
    }
  }

  @Test
  void aSecondCallGivesTheSameResultToTheBit() {
    for (Kernel kernel : odd(new Random(SEED), false)) {
      kernel.run();
      String once = Digest.of(List.of(kernel));
      kernel.run();
      kernel.run();
      assertThat(Digest.of(List.of(kernel))).as(kernel.name()).isEqualTo(once);
      kernel.close();
    }
  }

  @Test
  void theDigestTellsSeedsApartAndNotThreadsOrScopes() {
    assertThat(digest(new MatMul("m", 7, 9, 5, 1, false)))
        .isEqualTo(digest(new MatMul("m", 7, 9, 5, 1, true)))
        .isNotEqualTo(digest(new MatMul("m", 7, 9, 5, 2, false)));
    assertThat(digest(new ParallelMatMul(33, 1, SEED)))
        .isEqualTo(digest(new ParallelMatMul(33, 3, SEED)));
    assertThat(digest(new Softmax(70, 30, SEED, true)))
        .isEqualTo(digest(new Softmax(70, 30, SEED, false)));
    assertThat(digest(new LayerNorm(70, 30, SEED, true)))
        .isEqualTo(digest(new LayerNorm(70, 30, SEED, false)));
  }

  private static String digest(Kernel kernel) {
    kernel.run();
    kernel.close();
    return Digest.of(List.of(kernel));
  }

  @Test
  void bothVariantsOfAnAllocationPairComputeTheSame() {
    sameAfterTwoCalls(
        new MatMulBackward(9, 7, 5, SEED, Memory.REUSING),
        new MatMulBackward(9, 7, 5, SEED, Memory.ALLOCATING));
    sameAfterTwoCalls(
        new TrainingStep(3, 8, SEED, Memory.REUSING),
        new TrainingStep(3, 8, SEED, Memory.ALLOCATING));
  }

  private static void sameAfterTwoCalls(Kernel reusing, Kernel allocating) {
    for (int i = 0; i < 2; i++) {
      reusing.run();
      allocating.run();
    }
    assertThat(reusing.output()).isDeepEqualTo(allocating.output());
  }

  @Test
  void theExponentialKeepsItsPromise() {
    Random random = new Random(SEED);
    for (int i = 0; i < 100_000; i++) {
      float x = random.nextFloat(-87, 87);
      double error = Math.abs(Exponential.of(x) / Math.exp(x) - 1);
      assertThat(error).as("seed %d, e^%s", SEED, x).isLessThan(Exponential.ERROR);
    }
    assertThat(Exponential.of(-1e30f)).isBetween(0f, 1e-37f);
    assertThat(Exponential.of(1e30f)).isFinite();
  }

  @Test
  void aCallAllocatesNothing() {
    String said = new OtherJvm(INTERPRETED, CalledAgain.class).said();
    for (Kernel kernel : odd(new Random(SEED), false)) {
      boolean allocates =
          kernel instanceof ParallelMatMul || kernel.name().endsWith(Memory.ALLOCATING.label());
      String bytes = allocates ? ": [1-9]" : ": 0 bytes";
      assertThat(said).containsPattern("(?m)^" + Pattern.quote(kernel.name()) + bytes);
      kernel.close();
    }
  }

  @Test
  void workIsWhatTheFormulasSay() {
    assertThat(MatMul.square(128, 1, false).work())
        .isEqualTo(new Work(3 * 4 * 128 * 128, 2L * 128 * 128 * 128));
    assertThat(new MatMul("m", 2, 3, 5, 1, false).work())
        .isEqualTo(new Work(4 * (6 + 15 + 10), 60));
    assertThat(new ParallelMatMul(32, 2, 1).work()).isEqualTo(new Work(12 * 1024, 2 * 32768));
    assertThat(new Softmax(10, 256, 1, false).work())
        .isEqualTo(new Work(8 * 2560, 2560L * (4 + Exponential.FLOPS)));
    assertThat(new Gelu(1000, 1).work()).isEqualTo(new Work(8000, 1000L * (7 + Exponential.FLOPS)));
    assertThat(new LayerNorm(4, 100, 1, false).work()).isEqualTo(new Work(4000, 3200));
    assertThat(new RmsNorm(4, 100, 1).work()).isEqualTo(new Work(3600, 1600));
    assertThat(Pointwise.of(Operation.ADD, 100, 1).work()).isEqualTo(new Work(1200, 100));
    assertThat(Pointwise.broadcastAdd(4, 100, 1).work()).isEqualTo(new Work(3600, 400));
    assertThat(new MatMulBackward(2, 3, 5, 1, Memory.REUSING).work())
        .isEqualTo(new Work(4 * (2 * 6 + 2 * 15 + 10), 120));
    assertThat(new TrainingStep(2, 10, 1, Memory.REUSING).work().flops()).isEqualTo(2000);
  }

  @Test
  void aWrongResultIsNoticed() {
    Kernel sound = new Gelu(64, SEED);
    Bench bench = new Bench(sound);
    assertThat(bench.firstWrong(SEED)).as("nothing was computed yet").startsWith("gelu 64 [0][");
    sound.run();
    assertThat(bench.firstWrong(SEED)).isNull();
    for (int j = 0; j < 64; j++) sound.output()[0][j] = Float.NaN;
    assertThat(bench.firstWrong(SEED)).contains("is NaN and should be ");
  }

  @Test
  void namesSayTheSize() {
    assertThat(new Gelu(1_000_000, 1).name()).isEqualTo("gelu 1M");
    assertThat(new Gelu(10_000, 1).name()).isEqualTo("gelu 10K");
    assertThat(new Gelu(513, 1).name()).isEqualTo("gelu 513");
  }
}
