package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Models where the disk is too small. */
@Execution(CONCURRENT)
class ModelsIT {
  @TempDir private Path folder;

  /** A limit on the size of files fails as a full disk does, in the middle of a write. */
  @Test
  void aFullDiskIsOneLineAndLeavesNothing() throws IOException {
    Path launcher = FakeMachine.launcher();
    Map<String, String> environment =
        Map.of("RIDGELINE_CACHE", folder.toString(), "RIDGELINE_NO_BUILD", "1");
    // What the launcher prepares at its first start must not meet the limit.
    assertThat(Outcome.of(folder, environment, List.of(launcher.toString(), "--version")).code())
        .isZero();
    String limited = "ulimit -f 4096; exec '%s' pull synth:minilm-l6:f32".formatted(launcher);
    Outcome outcome = Outcome.ofShell(folder, environment, limited);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).hasLineCount(1).contains("File too large");
    assertThat(outcome.out()).isEmpty();
    assertThat(folder.resolve("work")).doesNotExist();
    assertThat(folder.resolve("models")).doesNotExist();
    try (var files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile))
          .allMatch(file -> file.startsWith(folder.resolve("locks")));
    }
  }
}
