package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** The history of real runs, through the launcher, with the database as it is packed. */
@Execution(CONCURRENT)
class HistoryIT {
  @TempDir private Path folder;

  private Map<String, String> environment() {
    return Map.of(
        "RIDGELINE_NO_BUILD",
        "1",
        "RIDGELINE_RUNS",
        folder.resolve("runs").toString(),
        "RIDGELINE_JVM_OPTS",
        "-Djava.io.tmpdir=" + folder);
  }

  private Outcome ridgeline(String... words) {
    List<String> command = new java.util.ArrayList<>(List.of(FakeMachine.launcher().toString()));
    command.addAll(List.of(words));
    return Outcome.of(folder, environment(), command);
  }

  @Test
  void aRunIsListedAndAsked() throws IOException {
    ridgeline("profile", "kernels", "--filter", "matmul 128", "--budget", "0.02");
    Outcome list = ridgeline("history");
    assertThat(list.err()).isEmpty();
    assertThat(list.out()).contains("matmul 128", "1 of 1 run");
    Outcome sql =
        ridgeline("history", "--csv", "--sql", "select name, depth from scopes order by 2");
    assertThat(sql.err()).isEmpty();
    assertThat(sql.out()).startsWith("name,depth\nkernels,1\n").contains("matmul 128,2");
    Outcome bad = ridgeline("history", "--sql", "selekt");
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).hasLineCount(1);
    try (var files = Files.list(folder)) {
      assertThat(files).as("what is left behind").containsExactly(folder.resolve("runs"));
    }
  }

  @Test
  @Timeout(120)
  void aSignalEndsAQuery() throws IOException, InterruptedException {
    String endless = "select count(*) from range(1000000000) a, range(1000000000) b";
    var builder =
        new ProcessBuilder(FakeMachine.launcher().toString(), "history", "--sql", endless)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().putAll(environment());
    Process process = builder.start();
    try {
      // Its start takes less, so by then it is at work on the query.
      while (process.isAlive() && used(process).toSeconds() < 3) Thread.sleep(50);
      assertThat(process.isAlive()).isTrue();
      // Signals of children of a JVM reach what has replaced the launcher: java itself. Not
      // Ctrl-C's, which jobs in the background of a shell are deaf to, and so whatever they start.
      new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    assertThat(folder.resolve("said")).isEmptyFile();
  }

  /** Processor time, which passes however busy the machine is. */
  private static Duration used(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }
}
