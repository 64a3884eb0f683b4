package dev.ridgeline.tensor.cpu;

import static dev.ridgeline.oracle.OtherJvm.INTERPRETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.OtherJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Once it has run, a pass allocates nothing, recorded or not: in an interpreter, which tells it by
 * one run.
 */
@Execution(CONCURRENT)
@Tag("own-jvm")
class SteadyStateTest {
  @Test
  void aPassAllocatesNothing() {
    assertThat(new OtherJvm(INTERPRETED, SteadyPasses.class).said().lines())
        .hasSize(15)
        .allMatch(line -> line.endsWith(": 0 bytes"));
  }
}
