package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.tune.Tiling;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same rows with several matrices at once: the bits of one by one. */
class ProjectionsTest {
  private static final int INPUTS = 256;

  private static CpuDevice device(int workers, boolean repacks) {
    Workers all = Workers.of(workers).partsOf(1);
    return new CpuDevice(KernelChoice.made().kernels(), all, null, Tiling.here(), repacks);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void togetherAsOneByOne(boolean repacks) {
    Precision[] precisions = {Precision.FINE, Precision.COARSE, Precision.USUAL};
    TensorType[][] types = {
      {TensorType.Q8_0, TensorType.Q8_0, TensorType.Q8_0},
      {TensorType.Q4_0, TensorType.Q8_0, TensorType.Q4_0},
      {TensorType.Q8_0, TensorType.F32, TensorType.Q4_K},
      {TensorType.F16, TensorType.Q6_K, TensorType.F32}
    };
    for (int rows : new int[] {1, 5, 130, 1100}) {
      for (TensorType[] of : types) {
        try (Fixture play = new Fixture(device(1 + rows % 3, repacks), rows)) {
          Tensor x = play.filled(rows, INPUTS);
          Projection[] all = new Projection[3];
          for (int i = 0; i < 3; i++) {
            int outputs = 33 + 40 * i;
            GgufTensor stored = play.stored(of[i], outputs, INPUTS, play.numbers(outputs * INPUTS));
            Tensor bias = i == 1 ? null : play.vector(play.numbers(outputs));
            all[i] =
                new Projection(play.empty(rows, outputs), play.matrix(stored, precisions[i]), bias);
          }
          play.ops.matmul(x, all);
          for (Projection each : all) {
            Tensor alone = play.empty(rows, each.matrix().rows());
            play.ops.matmul(alone, x, each.matrix(), each.biasOrNull());
            assertThat(play.read(each.out())).isEqualTo(play.read(alone));
          }
        }
      }
    }
  }

  /** Many workers make bytes of the rows together, and of matrices of two types twice. */
  @Test
  void workersThatShareRowsChangeNoBit() {
    TensorType[] types = {
      TensorType.Q8_0, TensorType.Q8_0, TensorType.Q4_K, TensorType.Q6_K, TensorType.Q4_0
    };
    for (int rows : new int[] {11, 12, 40, 130, 700}) {
      float[][] alone = products(1, rows, types);
      for (int workers : new int[] {2, 4, 9}) {
        assertThat(products(workers, rows, types)).as("%d workers", workers).isDeepEqualTo(alone);
      }
    }
  }

  private static float[][] products(int workers, int rows, TensorType[] types) {
    try (Fixture play = new Fixture(device(workers, true), rows)) {
      Tensor x = play.filled(rows, INPUTS);
      Projection[] all = new Projection[types.length];
      for (int i = 0; i < types.length; i++) {
        int outputs = 200 - 33 * i;
        GgufTensor stored = play.stored(types[i], outputs, INPUTS, play.numbers(outputs * INPUTS));
        Precision precision = i == 1 ? Precision.COARSE : Precision.USUAL;
        all[i] = new Projection(play.empty(rows, outputs), play.matrix(stored, precision), null);
      }
      play.ops.matmul(x, all);
      return Stream.of(all).map(each -> play.read(each.out())).toArray(float[][]::new);
    }
  }

  @Test
  void eachIsCheckedBeforeAnyIsMultiplied() {
    try (Fixture play = new Fixture(device(2, true), 1)) {
      Tensor x = play.filled(3, 20);
      Tensor good = play.weights(play.stored(TensorType.F32, 5, 20, new float[100]), Layout.MATRIX);
      Tensor bad = play.weights(play.stored(TensorType.F32, 5, 21, new float[105]), Layout.MATRIX);
      Tensor out = play.empty(3, 5);
      Projection[] all = {new Projection(out, good, null), new Projection(out, bad, null)};
      assertThatThrownBy(() -> play.ops.matmul(x, all))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("x and matrix differ in columns");
    }
  }

  /** In whole numbers it could become a finite result; elsewhere it shows. */
  @ParameterizedTest
  @EnumSource
  void aScaleThatIsNotFiniteIsRefusedOrShows(Precision precision) {
    for (TensorType type : new TensorType[] {TensorType.Q8_0, TensorType.Q4_0}) {
      for (boolean repacks : new boolean[] {true, false}) {
        for (short scale : new short[] {0x7C00, (short) 0xFC00, 0x7E00}) {
          try (Fixture play = new Fixture(device(2, repacks), 5)) {
            GgufTensor stored = play.stored(type, 40, INPUTS, play.numbers(40 * INPUTS));
            // The third block of the output 35.
            long at = type.bytes(35 * INPUTS + 64);
            stored.data().set(ValueLayout.JAVA_SHORT_UNALIGNED, at, scale);
            Tensor out = play.empty(3, 40);
            Tensor x = play.filled(3, INPUTS);
            ThrowingCallable product =
                () -> play.ops.matmul(out, x, play.matrix(stored, precision), null);
            if (play.device.form(type, 3).integer()) {
              assertThatThrownBy(product)
                  .isInstanceOf(KernelException.class)
                  .hasMessageEndingWith("a scale is not finite: the model's file is damaged");
            } else {
              assertThatCode(product).doesNotThrowAnyException();
              float[] got = play.read(out);
              for (int i = 0; i < got.length; i++) {
                assertThat(Float.isFinite(got[i])).as("%s at %d", type, i).isEqualTo(i % 40 != 35);
              }
            }
          }
        }
      }
    }
  }
}
