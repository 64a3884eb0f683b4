package dev.ridgeline.tensor.cpu;

import static dev.ridgeline.oracle.OtherJvm.INTERPRETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.OtherJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A planned pass allocates nothing, on no thread, recorded or not: in an interpreter, which tells
 * it by one run.
 */
@Execution(CONCURRENT)
@Tag("own-jvm")
class SteadyStateTest {
  @ParameterizedTest
  @ValueSource(strings = {"forward", "backward"})
  void aPassAllocatesNothing(String direction) {
    String said = new OtherJvm(INTERPRETED, SteadyPasses.class, direction).said();
    assertThat(said.lines())
        .hasSize(6)
        .allMatch(line -> line.startsWith(direction + " "))
        .allMatch(line -> line.endsWith(": 0 bytes"));
  }
}
