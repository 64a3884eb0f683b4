package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** GELU in both forms and SiLU, over every size of argument. */
@ParameterizedClass
@EnumSource(
    value = Family.class,
    names = {"VECTOR", "ASSEMBLED"})
@Execution(CONCURRENT)
class ActivationsTest {
  private final Kernels kernels;
  private static final Kernels SCALAR = new ScalarKernels();

  ActivationsTest(Family family) {
    kernels = family.kernels();
  }

  @Test
  void geluIsRightEverywhere() {
    float[] values = new float[4_000_001];
    for (int i = 0; i < values.length; i++) values[i] = (i - 2_000_000) * 1e-5f;
    assertGelu(values);
  }

  @Test
  void geluIsRightForNumbersOfEveryMagnitude() {
    float[] values = new float[1 << 21];
    for (int i = 0; i < values.length; i++) {
      float value = Float.intBitsToFloat(i << 11);
      values[i] = Float.isFinite(value) ? value : 0;
    }
    assertGelu(values);
  }

  /**
   * 2·10⁻⁷, or where the result itself is large, what rounding it to f32 costs and as much again.
   */
  private void assertGelu(float[] values) {
    try (var numbers = new Numbers(0)) {
      long x = numbers.of(values);
      long got = numbers.empty(values.length);
      long expected = numbers.empty(values.length);
      kernels.rows().apply(Activation.GELU, x, 0, got, values.length);
      SCALAR.rows().apply(Activation.GELU, x, 0, expected, values.length);
      for (int i = 0; i < values.length; i++) {
        double error = Math.abs((double) get(got, i) - get(expected, i));
        if (!(error <= Math.max(2e-7, Math.ulp(get(expected, i))))) {
          assertThat(get(got, i)).as("gelu of %s", values[i]).isEqualTo(get(expected, i));
        }
      }
    }
  }

  @Test
  void gegluIsRightEverywhere() {
    try (var numbers = new Numbers(0)) {
      int count = 1_000_001;
      long gate = numbers.empty(count);
      long up = numbers.empty(count);
      for (int i = 0; i < count; i++) {
        Numbers.set(gate, i, (i - 500_000) * 4e-5f);
        Numbers.set(up, i, 1);
      }
      long got = numbers.empty(count);
      kernels.rows().apply(Activation.GELU_TANH, gate, up, got, count);
      double inner = Math.sqrt(2 / Math.PI);
      for (int i = 0; i < count; i++) {
        double g = get(gate, i);
        double expected = 0.5 * g * (1 + Math.tanh(inner * (g + 0.044715 * g * g * g)));
        double error = Math.abs(get(got, i) - expected);
        if (!(error <= 2e-7 * Math.max(1, Math.abs(expected)))) {
          assertThat((double) get(got, i)).as("geglu of %s", g).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void swigluIsRightEverywhere() {
    try (var numbers = new Numbers(0)) {
      int count = 1_000_001;
      long gate = numbers.empty(count);
      long up = numbers.empty(count);
      for (int i = 0; i < count; i++) {
        Numbers.set(gate, i, (i - 500_000) * 2e-4f);
        Numbers.set(up, i, 1);
      }
      long got = numbers.empty(count);
      kernels.rows().apply(Activation.SILU, gate, up, got, count);
      for (int i = 0; i < count; i++) {
        double g = get(gate, i);
        double expected = g / (1 + Math.exp(-g));
        double error = Math.abs(get(got, i) - expected);
        if (!(error <= 3e-7 * Math.abs(expected) + 1e-35)) {
          assertThat((double) get(got, i)).as("silu of %s", g).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anActivationAloneHasTheBitsOfAGateToOne(Activation activation) {
    try (var numbers = new Numbers(4)) {
      long x = numbers.filled(3_001);
      long one = numbers.empty(3_001);
      for (int i = 0; i < 3_001; i++) Numbers.set(one, i, 1);
      long gated = numbers.empty(3_001);
      long alone = numbers.empty(3_001);
      kernels.rows().apply(activation, x, one, gated, 3_001);
      kernels.rows().apply(activation, x, 0, alone, 3_001);
      assertThat(read(alone, 3_001)).isEqualTo(read(gated, 3_001));
      assertThat(get(alone, 3_001)).isNaN();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tailsHaveTheBitsOfWholeVectors(Activation activation) {
    try (var numbers = new Numbers(3)) {
      long x = numbers.filled(64);
      long up = numbers.filled(64);
      long alone = numbers.empty(64);
      long gated = numbers.empty(64);
      kernels.rows().apply(activation, x, 0, alone, 64);
      kernels.rows().apply(activation, x, up, gated, 64);
      for (int count = 0; count < 64; count++) {
        for (int from = 0; from + count <= 64; from += 5) {
          long part = numbers.empty(count);
          kernels.rows().apply(activation, x + 4L * from, 0, part, count);
          assertThat(read(part, count)).isEqualTo(read(alone + 4L * from, count));
          assertThat(get(part, count)).isNaN();
          kernels.rows().apply(activation, x + 4L * from, up + 4L * from, part, count);
          assertThat(read(part, count)).isEqualTo(read(gated + 4L * from, count));
          assertThat(get(part, count)).isNaN();
        }
      }
    }
  }
}
