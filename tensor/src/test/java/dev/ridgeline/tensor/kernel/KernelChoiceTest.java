package dev.ridgeline.tensor.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.kernel.KernelChoice.Machine;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A family is chosen with a reason, and slowness is never silent. */
class KernelChoiceTest {
  private static final Machine FAST = new Machine(true, "mixed mode, sharing", "amd64", 16);

  @Test
  void aMachineWithVectorsRunsVectorKernels() {
    KernelChoice choice = KernelChoice.of(null, FAST);
    assertThat(choice.kernels()).isInstanceOf(VectorKernels.class);
    assertThat(choice.slow()).isFalse();
    assertThat(choice.description()).contains("lanes of f32").contains("the fastest family here");
  }

  @Test
  void whatIsAskedForIsTakenAndNamedAsTheReason() {
    KernelChoice scalar = KernelChoice.of("scalar", FAST);
    assertThat(scalar.kernels()).isInstanceOf(ScalarKernels.class);
    assertThat(scalar.slow()).isFalse();
    assertThat(scalar.reason()).isEqualTo("-Dridgeline.kernels=scalar");
    KernelChoice vector = KernelChoice.of("vector", FAST);
    assertThat(vector.kernels()).isInstanceOf(VectorKernels.class);
    assertThat(vector.slow()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Vector", "assembled", "fast"})
  void anUnknownFamilyIsRefusedInOneLine(String asked) {
    assertThatThrownBy(() -> KernelChoice.of(asked, FAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dridgeline.kernels=" + asked + ": say scalar or vector");
  }

  @ParameterizedTest
  @CsvSource({
    "false, 'mixed mode', amd64, 16, --add-modules jdk.incubator.vector",
    "true, 'interpreted mode', amd64, 16, only interprets",
    "true, 'mixed mode, emulated-client', amd64, 16, without C2",
    "true, 'mixed mode', amd64, 4, no AVX2"
  })
  void aFallbackIsSlowAndSaysWhy(
      boolean module, String compiler, String architecture, int lanes, String why) {
    var machine = new Machine(module, compiler, architecture, lanes);
    KernelChoice choice = KernelChoice.of(null, machine);
    assertThat(choice.kernels()).isInstanceOf(ScalarKernels.class);
    assertThat(choice.slow()).isTrue();
    assertThat(choice.description()).startsWith("scalar: ").contains(why);
  }

  @Test
  void fourLanesAreEnoughWhereAllMachinesHaveNoMore() {
    var machine = new Machine(true, "mixed mode", "aarch64", 4);
    assertThat(KernelChoice.of(null, machine).slow()).isFalse();
  }

  @Test
  void vectorsThatWereAskedForAndCannotBeAreRefused() {
    var machine = new Machine(false, "mixed mode", "amd64", 0);
    assertThatThrownBy(() -> KernelChoice.of("vector", machine))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jdk.incubator.vector is not loaded");
  }

  @Test
  void vectorsThatWereAskedForAndCrawlAreCalledSlow() {
    var machine = new Machine(true, "interpreted mode", "amd64", 16);
    KernelChoice choice = KernelChoice.of("vector", machine);
    assertThat(choice.kernels()).isInstanceOf(VectorKernels.class);
    assertThat(choice.slow()).isTrue();
    assertThat(choice.reason()).contains("only interprets");
  }
}
