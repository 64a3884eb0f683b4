package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.oracle.OtherJvm.INTERPRETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.OtherJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Once it has run, no operation allocates: in an interpreter, which tells it by one run.
 *
 * <p>Not with vectors: an interpreter boxes them all, and whether C2 does depends on what it had
 * seen when it began. The package of the vector kernels says more.
 */
@Execution(CONCURRENT)
@Tag("own-jvm")
class SteadyTest {
  @ParameterizedTest
  @ValueSource(strings = {"assembled", "scalar"})
  void kernelsAllocateNothing(String family) {
    assumeAssembled(family);
    String said =
        new OtherJvm(List.of(INTERPRETED, "-Dridgeline.kernels=" + family), Steady.class).said();
    assertThat(said).contains(family);
    List<String> counted = said.lines().filter(line -> line.endsWith(" bytes")).toList();
    assertThat(counted).hasSize(13).allMatch(line -> line.endsWith(": 0 bytes"));
  }

  private static void assumeAssembled(String family) {
    if (family.equals("assembled")) Family.ASSEMBLED.kernels();
  }
}
