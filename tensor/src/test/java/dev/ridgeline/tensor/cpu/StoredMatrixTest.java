package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.KernelChoice;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matrices that stay in their file. */
class StoredMatrixTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Device device(Kernels kernels, int workers, boolean repack) {
    Workers all = Workers.of(workers).partsOf(1);
    return new CpuDevice(kernels, all, null, Tiling.here(), repack);
  }

  @ParameterizedTest
  @EnumSource(names = "I32", mode = EnumSource.Mode.EXCLUDE)
  void aProductHasTheSameBitsAsWithPackedOnes(TensorType type) {
    Kernels[] families = {new ScalarKernels(), KernelChoice.made().kernels()};
    for (Kernels family : families) {
      for (int[] shape : new int[][] {{1, 33, 256}, {3, 64, 512}, {40, 70, 256}, {300, 31, 256}}) {
        for (boolean bias : new boolean[] {false, true}) {
          assertThat(product(device(family, 3, false), type, shape, bias))
              .as("%s %s", family.description(), type)
              .isEqualTo(product(device(family, 1, true), type, shape, bias));
        }
      }
    }
  }

  private static float[] product(Device device, TensorType type, int[] shape, boolean bias) {
    try (var play = new Fixture(device, 3)) {
      GgufTensor stored = play.stored(type, shape[1], shape[2], play.numbers(shape[1] * shape[2]));
      Tensor matrix = play.weights(stored, Layout.MATRIX);
      Tensor x = play.filled(shape[0], shape[2]);
      Tensor out = play.empty(shape[0], shape[1]);
      play.ops.matmul(out, x, matrix, bias ? play.vector(play.numbers(shape[1])) : null);
      return play.read(out);
    }
  }

  @Test
  void theyTakeNoMemoryButTheirFiles() {
    Map<String, Long> account = new HashMap<>();
    Kernels kernels = KernelChoice.made().kernels();
    Device planned = new CpuDevice(kernels, Workers.of(1), account, Tiling.here(), false);
    try (var play = new Fixture(device(kernels, 1, true), 3)) {
      GgufTensor stored = play.stored(TensorType.Q8_0, 64, 256, play.numbers(64 * 256));
      planned.weights(stored, Layout.MATRIX).close();
    }
    assertThat(account).containsOnlyKeys("weights (mapped)");
    assertThat(planned.plan()).extractingByKey("weights").asString().contains("in the file");
  }

  @Test
  void aWarmProductAllocatesNothing() {
    try (var play = new Fixture(device(KernelChoice.made().kernels(), 1, false), 3)) {
      GgufTensor stored = play.stored(TensorType.Q8_0, 70, 256, play.numbers(70 * 256));
      Tensor matrix = play.weights(stored, Layout.MATRIX);
      Tensor x = play.filled(5, 256);
      Tensor out = play.empty(5, 70);
      int clean = 0;
      for (int batch = 0; batch < 200 && clean < 5; batch++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) play.ops.matmul(out, x, matrix, null);
        clean = THREADS.getCurrentThreadAllocatedBytes() == before ? clean + 1 : 0;
      }
      assertThat(clean).as("clean batches in a row").isEqualTo(5);
    }
  }
}
