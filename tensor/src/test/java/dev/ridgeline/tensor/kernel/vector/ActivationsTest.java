package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedClass;
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
      kernels.gelu(x, got, values.length);
      SCALAR.gelu(x, expected, values.length);
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
      kernels.geglu(gate, up, got, count);
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
      kernels.swiglu(gate, up, got, count);
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

  @Test
  void geluByTanhAloneHasTheBitsOfAGateToOne() {
    try (var numbers = new Numbers(4)) {
      long x = numbers.filled(3_001);
      long one = numbers.empty(3_001);
      for (int i = 0; i < 3_001; i++) Numbers.set(one, i, 1);
      long gated = numbers.empty(3_001);
      long alone = numbers.empty(3_001);
      kernels.geglu(x, one, gated, 3_001);
      kernels.geluTanh(x, alone, 3_001);
      assertThat(read(alone, 3_001)).isEqualTo(read(gated, 3_001));
      assertThat(get(alone, 3_001)).isNaN();
    }
  }

  @Test
  void tailsHaveTheBitsOfWholeVectors() {
    try (var numbers = new Numbers(3)) {
      long x = numbers.filled(64);
      long up = numbers.filled(64);
      long whole = numbers.empty(64);
      long silu = numbers.empty(64);
      kernels.geglu(x, up, whole, 64);
      kernels.swiglu(x, up, silu, 64);
      for (int count = 0; count < 64; count++) {
        for (int from = 0; from + count <= 64; from += 5) {
          long part = numbers.empty(count);
          kernels.geglu(x + 4L * from, up + 4L * from, part, count);
          assertThat(read(part, count)).isEqualTo(read(whole + 4L * from, count));
          assertThat(get(part, count)).isNaN();
          kernels.swiglu(x + 4L * from, up + 4L * from, part, count);
          assertThat(read(part, count)).isEqualTo(read(silu + 4L * from, count));
          assertThat(get(part, count)).isNaN();
          kernels.gelu(x + 4L * from, part, count);
          long other = numbers.empty(64);
          kernels.gelu(x, other, 64);
          assertThat(read(part, count)).isEqualTo(read(other + 4L * from, count));
          assertThat(get(part, count)).isNaN();
        }
      }
    }
  }
}
