package dev.ridgeline.cli.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.kernels.Formula.Expected;
import dev.ridgeline.cli.kernels.Kernel.Result;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.tensor.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class KernelTest {
  static final long SEED = 20261115;

  /** One of every family, with sizes that no vector divides. */
  static List<Kernel> odd(Random random, int workers) {
    long seed = random.nextLong();
    int m = 1 + random.nextInt(90);
    int k = 1 + random.nextInt(150);
    int n = 1 + random.nextInt(90);
    int heads = 1 + random.nextInt(3);
    int width = 2 * (1 + random.nextInt(20));
    List<Kernel> all = new ArrayList<>();
    Device device = Device.cpu(workers);
    var make =
        new Object() {
          void one(String name, Function<Room, Kernel> maker) {
            all.add(maker.apply(new Room(device, name, seed)));
          }
        };
    make.one("matmul", room -> Forward.matmul(room, m, k, n));
    make.one("softmax", room -> Forward.softmax(room, m, n));
    make.one("gelu", room -> Forward.gelu(room, n));
    make.one("layernorm", room -> Forward.layerNorm(room, m, n + 1));
    make.one("rmsnorm", room -> Forward.rmsNorm(room, m, n));
    make.one("add", room -> Forward.add(room, n));
    make.one("multiply", room -> Forward.multiply(room, n));
    make.one("broadcast add", room -> Forward.broadcastAdd(room, m, n));
    make.one("rope", room -> Forward.rope(room, m, heads, width, false));
    make.one("rope backward", room -> Forward.rope(room, m, heads, width, true));
    make.one("attention", room -> Forward.attention(room, m, heads, width));
    make.one("matmul backward", room -> Backward.matmul(room, m, k, n));
    make.one("gelu backward", room -> Backward.gelu(room, n));
    make.one("layernorm backward", room -> Backward.layerNorm(room, m, n + 4));
    make.one("rmsnorm backward", room -> Backward.rmsNorm(room, m, n + 4));
    make.one("attention backward", room -> Backward.attention(room, m, heads, width));
    make.one("training step", room -> Training.step(room, 1 + m % 5, 1 + n % 13));
    return all;
  }

  @Test
  void everyNumberIsWhatItsFormulaSaysAtOddSizes() {
    for (long seed = SEED; seed < SEED + 20; seed++) {
      for (Kernel kernel : odd(new Random(seed), 1 + (int) (seed % 3))) {
        try (kernel) {
          kernel.run();
          assertThat(kernel.firstWrong()).as("seed %d", seed).isNull();
        }
      }
    }
  }

  @Test
  void aSecondCallGivesTheSameResultToTheBitOnAnyNumberOfWorkers() {
    List<Kernel> alone = odd(new Random(SEED), 1);
    List<Kernel> together = odd(new Random(SEED), 3);
    for (int i = 0; i < alone.size(); i++) {
      try (Kernel kernel = alone.get(i);
          Kernel same = together.get(i)) {
        kernel.run();
        String once = Kernels.digest(List.of(kernel));
        kernel.run();
        kernel.run();
        assertThat(Kernels.digest(List.of(kernel))).as(kernel.name()).isEqualTo(once);
        same.run();
        assertThat(Kernels.digest(List.of(same))).as(kernel.name()).isEqualTo(once);
      }
    }
  }

  @Test
  void theDigestDependsOnTheSeed() {
    assertThat(digest(1)).isEqualTo(digest(1)).isNotEqualTo(digest(2));
  }

  private static String digest(long seed) {
    try (Kernel kernel = Forward.matmul(new Room(Device.cpu(1), "m", seed), 7, 9, 5)) {
      kernel.run();
      return Kernels.digest(List.of(kernel));
    }
  }

  @Test
  void freshMemoryChangesNoResult() {
    for (Kernel reusing : odd(new Random(SEED), 1)) {
      String once;
      try (reusing) {
        reusing.run();
        once = Kernels.digest(List.of(reusing));
      }
      Kernel fresh =
          odd(new Random(SEED), 1).stream()
              .filter(kernel -> kernel.name().equals(reusing.name()))
              .findFirst()
              .orElseThrow();
      try (Kernel kernel = fresh.as(reusing.name(), 2)) {
        for (int i = 0; i < 5; i++) kernel.run();
        assertThat(Kernels.digest(List.of(kernel))).as(kernel.name()).isEqualTo(once);
      }
    }
  }

  @Test
  void aCallAllocatesNothing() {
    assertThat(Allocated.by(CalledAgain.class))
        .hasSize(17)
        .allSatisfy((kernel, bytes) -> assertThat(bytes).as(kernel).isZero());
  }

  @Test
  void aWrongResultIsNoticed() {
    Room room = new Room(Device.cpu(1), "copy", SEED);
    Room.Input x = room.rows(1, 64, 1);
    Result wrong = new Result(1, 64, (_, j) -> new Expected(x.at(j) + (j == 63 ? 2 : 0), 1e-7));
    try (Kernel kernel =
        new Kernel(room, "", to -> room.ops().scale(to[0], x.tensor(), 1), wrong)) {
      kernel.run();
      assertThat(kernel.firstWrong()).startsWith("copy, result 0 [0][63] is ");
    }
    Room another = new Room(Device.cpu(1), "zeros", SEED);
    Result zeros = new Result(1, 64, (_, _) -> new Expected(Double.NaN, 1));
    try (Kernel kernel = new Kernel(another, "", _ -> {}, zeros)) {
      kernel.run();
      assertThat(kernel.firstWrong(SEED)).startsWith("zeros, result 0 [0][");
    }
  }

  @Test
  void namesSayTheSize() {
    assertThat(Catalogue.count(1_000_000)).isEqualTo("1M");
    assertThat(Catalogue.count(10_000)).isEqualTo("10K");
    assertThat(Catalogue.count(513)).isEqualTo("513");
  }
}
