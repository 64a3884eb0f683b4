package dev.ridgeline.tensor.cpu;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matrices that stay in their file. */
class StoredMatrixTest {
  static Device device(Kernels kernels, int workers, boolean repack) {
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

  /** Nothing may end the JVM, whatever happens to a file. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "Q8_0", "Q4_0"})
  void aFileThatIsCutShortIsAnError(TensorType type, @TempDir Path folder) throws IOException {
    for (boolean repack : new boolean[] {false, true}) {
      Path path = folder.resolve(type.word() + repack);
      Files.write(path, new byte[(int) type.bytes(64 * 1024)]);
      try (Arena arena = Arena.ofShared();
          FileChannel file = FileChannel.open(path, READ, WRITE);
          var play = new Fixture(device(KernelChoice.made().kernels(), 1, repack), 1)) {
        MemorySegment mapped = file.map(MapMode.READ_ONLY, 0, file.size(), arena);
        var stored = new GgufTensor("w", type, List.of(1024L, 64L), mapped);
        file.truncate(0);
        assertThatThrownBy(
                () ->
                    play.ops.matmul(
                        play.empty(2, 64),
                        play.filled(2, 1024),
                        play.weights(stored, Layout.MATRIX),
                        null))
            .isInstanceOf(InternalError.class);
      }
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
}
