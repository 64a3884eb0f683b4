package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.Allocated;
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
    assertThat(Allocated.by(SteadyPasses.class).values()).hasSize(18).containsOnly(0L);
  }
}
