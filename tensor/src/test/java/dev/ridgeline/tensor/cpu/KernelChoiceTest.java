package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.cpu.KernelChoice.Machine;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A family is chosen with a reason, and slowness is never silent. */
class KernelChoiceTest {
  private static final Machine FAST =
      new Machine(true, "mixed mode, sharing", "amd64", 16, "this CPU has none");
  private static final Machine FASTEST = new Machine(true, "mixed mode", "amd64", 16, null);

  @Test
  void aMachineWithVectorsRunsVectorKernels() {
    KernelChoice choice = KernelChoice.of(null, FAST);
    assertThat(choice.kernels()).isInstanceOf(VectorKernels.class);
    assertThat(choice.slow()).isFalse();
    assertThat(choice.description())
        .contains("lanes of f32")
        .endsWith("nothing is assembled: this CPU has none");
  }

  @Test
  void aMachineThatRunsAssembledCodeDoesSo() {
    assumeAssembled();
    KernelChoice choice = KernelChoice.of(null, FASTEST);
    assertThat(choice.kernels()).isInstanceOf(AssembledKernels.class);
    assertThat(choice.slow()).isFalse();
    assertThat(choice.description())
        .startsWith("assembled (")
        .contains("), else vector, ")
        .endsWith(": the fastest family here");
    assertThat(KernelChoice.of("assembled", FASTEST).reason())
        .isEqualTo("-Dridgeline.kernels=assembled");
    assertThat(KernelChoice.of("vector", FASTEST).kernels()).isInstanceOf(VectorKernels.class);
  }

  @Test
  void assembledKernelsAreNotSlowWithoutVectors() {
    assumeAssembled();
    var machine = new Machine(false, "mixed mode", "amd64", 0, null);
    KernelChoice choice = KernelChoice.of(null, machine);
    assertThat(choice.kernels()).isInstanceOf(AssembledKernels.class);
    assertThat(choice.slow()).isFalse();
    assertThat(choice.description())
        .contains(", else scalar: ")
        .contains("though the module jdk.incubator.vector is not loaded");
  }

  @Test
  void assembledKernelsThatWereAskedForAndCannotBeAreRefused() {
    assertThatThrownBy(() -> KernelChoice.of("assembled", FAST))
        .isInstanceOf(KernelException.class)
        .hasMessage("-Dridgeline.kernels=assembled: this CPU has none");
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
  @ValueSource(strings = {"", "5", "abc", "-8", "08"})
  void aWidthThatNoVectorHasIsRefusedInOneLine(String asked) {
    assertThatThrownBy(() -> KernelChoice.requireOneOf("ridgeline.lanes", asked, "4", "8", "16"))
        .isInstanceOf(KernelException.class)
        .hasMessage("-Dridgeline.lanes=" + asked + ": say 4, 8 or 16");
    KernelChoice.requireOneOf("ridgeline.lanes", "8", "4", "8", "16");
    KernelChoice.requireOneOf("ridgeline.lanes", null, "4", "8", "16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Vector", "fast"})
  void anUnknownFamilyIsRefusedInOneLine(String asked) {
    assertThatThrownBy(() -> KernelChoice.of(asked, FAST))
        .isInstanceOf(KernelException.class)
        .hasMessage("-Dridgeline.kernels=" + asked + ": say scalar, vector or assembled");
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
    var machine = new Machine(module, compiler, architecture, lanes, "none");
    KernelChoice choice = KernelChoice.of(null, machine);
    assertThat(choice.kernels()).isInstanceOf(ScalarKernels.class);
    assertThat(choice.slow()).isTrue();
    assertThat(choice.description()).startsWith("scalar: ").contains(why);
  }

  @Test
  void fourLanesAreEnoughWhereAllMachinesHaveNoMore() {
    var machine = new Machine(true, "mixed mode", "aarch64", 4, "none");
    assertThat(KernelChoice.of(null, machine).slow()).isFalse();
  }

  @Test
  void vectorsThatWereAskedForAndCannotBeAreRefused() {
    var machine = new Machine(false, "mixed mode", "amd64", 0, null);
    assertThatThrownBy(() -> KernelChoice.of("vector", machine))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("jdk.incubator.vector is not loaded");
  }

  @Test
  void vectorsThatWereAskedForAndCrawlAreCalledSlow() {
    var machine = new Machine(true, "interpreted mode", "amd64", 16, null);
    KernelChoice choice = KernelChoice.of("vector", machine);
    assertThat(choice.kernels()).isInstanceOf(VectorKernels.class);
    assertThat(choice.slow()).isTrue();
    assertThat(choice.reason()).contains("only interprets");
  }

  private static void assumeAssembled() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
  }
}
