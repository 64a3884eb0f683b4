package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.oracle.OtherJvm.INTERPRETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.OtherJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Once it has run, no operation allocates: in an interpreter, which tells it by one run.
 *
 * <p>Not with vectors: an interpreter boxes them all, and whether C2 does depends on what it had
 * seen when it began. The package of the vector kernels says more.
 */
@Execution(CONCURRENT)
@Tag("own-jvm")
class SteadyTest {
  /** Plain loops take an interpreter microseconds for each product of two numbers. */
  @ParameterizedTest
  @CsvSource({"assembled, 21", "scalar, 2"})
  void kernelsAllocateNothing(String family, String rows) {
    assumeAssembled(family);
    List<String> options = new ArrayList<>(INTERPRETED);
    options.add("-Dridgeline.kernels=" + family);
    String said = new OtherJvm(options, Steady.class, rows).said();
    assertThat(said).contains(family);
    List<String> counted = said.lines().filter(line -> line.endsWith(" bytes")).toList();
    assertThat(counted).hasSize(18).allMatch(line -> line.endsWith(": 0 bytes"));
  }

  private static void assumeAssembled(String family) {
    if (family.equals("assembled")) Family.ASSEMBLED.kernels();
  }
}
