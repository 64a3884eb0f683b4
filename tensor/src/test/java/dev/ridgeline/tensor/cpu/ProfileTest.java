package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a profile says about operations. */
class ProfileTest {
  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void aParallelProductReadsAsOneTree() {
    try (Fixture play = new Fixture(2, 1)) {
      int rows = 64;
      Tensor matrix =
          play.weights(
              play.stored(TensorType.Q8_0, 256, 512, play.numbers(256 * 512)), Layout.MATRIX);
      Tensor bias = play.vector(play.numbers(256));
      Tensor x = play.filled(rows, 512);
      Tensor out = play.empty(rows, 256);
      // Both threads are sure to have had a part only after some calls.
      start();
      int calls = 0;
      while (calls < 10 || calls < 2_000 && Profiler.snapshot().lanes().size() < 2) {
        play.ops.matmul(out, x, matrix, bias);
        calls++;
      }
      Profile profile = Profiler.stop();
      CallTree.Node matmul = profile.tree().find("matmul");
      assertThat(matmul.calls()).isEqualTo(calls);
      long flops = (long) rows * 256 * (2 * 512 + 1);
      long bytes = 256 * 512 / 32 * 34 + 4L * (rows * 512 + rows * 256 + 256);
      assertThat(matmul.work().flops()).isEqualTo(calls * flops);
      assertThat(matmul.work().bytes()).isEqualTo(calls * bytes);
      assertThat(matmul.region().threads()).isEqualTo(2);
      assertThat(profile.lanes()).hasSize(2);
      assertThat(profile.lanes().get(1).thread()).startsWith("ridgeline-worker-");
      CallTree.Node tasks =
          matmul.children().stream().filter(CallTree.Node::isTask).findFirst().orElseThrow();
      // Together they do what was declared; shares are rounded down, call by call.
      assertThat(tasks.work().flops()).isBetween(calls * (flops - 2), calls * flops);
      assertThat(tasks.work().bytes()).isBetween(calls * (bytes - 2), calls * bytes);
      assertThat(profile.slips()).isEqualTo(Profile.Slips.NONE);
      assertThat(profile.pools()).hasSize(1);
      Profile.Pool pool = profile.pools().getFirst();
      assertThat(pool.regions()).isEqualTo(calls);
      assertThat(pool.tasks()).isEqualTo(8L * calls);
      assertThat(pool.dispatchNanos()).isPositive();
      assertThat(pool.spinNanos() + pool.parkNanos()).isPositive();
    }
  }

  @Test
  void attentionShowsItsPartsOncePerUnit() {
    try (Fixture play = new Fixture(1, 1)) {
      Tensor qkv = play.filled(30, 3 * 32);
      Tensor q = qkv.columns(0, 32);
      Tensor k = qkv.columns(32, 64);
      Tensor v = qkv.columns(64, 96);
      var texts = play.texts(10, 20);
      Tensor out = play.empty(30, 32);
      Tensor workspace = play.workspace(20);
      start();
      play.ops.attention(
          out, q, k, v, texts, new Heads(4, 4, 1, Integer.MAX_VALUE, Integer.MAX_VALUE), workspace);
      CallTree tree = Profiler.stop().tree();
      for (String part : new String[] {"scores", "softmax", "mix"}) {
        // A unit per text: heads share one.
        assertThat(tree.find("heads", part).calls()).as(part).isEqualTo(2);
      }
      long pairs = 10 * 10 + 20 * 20;
      assertThat(tree.find("heads", "scores").work().flops()).isEqualTo(2 * 32 * pairs);
      assertThat(tree.find("heads").work().flops()).isEqualTo((4 * 32 + 12 * 4) * pairs);
    }
  }

  @Test
  void aWindowCountsOnlyPairsThatSeeEachOther() {
    try (Fixture play = new Fixture(1, 1)) {
      int before = 2;
      int after = 1;
      long pairs = 0;
      for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) if (i - j <= before && j - i <= after) pairs++;
      }
      Tensor x = play.filled(9, 4);
      var texts = play.texts(9);
      Tensor out = play.empty(9, 4);
      Tensor workspace = play.workspace(9);
      start();
      play.ops.attention(out, x, x, x, texts, new Heads(1, 1, 1, before, after), workspace);
      assertThat(Profiler.stop().tree().find("heads").work().flops())
          .isEqualTo(pairs * (4 * 4 + 12));
    }
  }

  @Test
  void memoryIsInTheLedgerUntilItIsClosed() {
    try (Fixture play = new Fixture(1, 1)) {
      start();
      Tensor tensor = play.device.allocate("ledger test", TensorType.F32, 3, 5);
      assertThat(held("ledger test")).isEqualTo(64);
      tensor.columns(1, 2).close();
      assertThat(held("ledger test")).isEqualTo(64);
      tensor.close();
      assertThat(held("ledger test")).isZero();
    }
  }

  private static long held(String owner) {
    return Profiler.snapshot().ledger().stream()
        .filter(entry -> entry.owner().equals(owner))
        .findFirst()
        .orElseThrow()
        .bytes();
  }

  private static void start() {
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
  }
}
