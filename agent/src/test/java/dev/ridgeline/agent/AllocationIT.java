package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the agent adds to a method costs no garbage. */
@Isolated("counts what a thread allocates once the JIT is done")
class AllocationIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"time", "allocation"})
  void aWovenCallAllocatesNothing(String level) throws Exception {
    var ended =
        Target.usual(folder)
            .run("scope=Allocating.called,level=" + level, "acme.engine.Allocating");
    assertThat(ended.out().strip()).isEqualTo("0");
    assertThat(ended.tree().find("Allocating.called").calls()).isEqualTo(300_000);
  }
}
