package dev.ridgeline.cli.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ChildTest {
  @TempDir private Path folder;
  private Path output;

  @BeforeEach
  void begin() {
    output = folder.resolve("output");
  }

  /** Whether a process runs; one that ended, and whose parent has not asked how, does not. */
  private static boolean runs(long pid) throws Exception {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.exists(stat)) return false;
    return !Files.readString(stat).replaceFirst(".*\\) ", "").startsWith("Z");
  }

  @Test
  void whatATrialLeftInTheBackgroundEndsWithIt() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/environ")), "no processes to look at");
    try (Child child = new Child()) {
      for (int i = 0; i < 300; i++) {
        // Now and then it is looked for while it becomes another program.
        String line = i == 0 ? "sleep 300 & echo $!" : "(setsid sleep 300 & echo $!)";
        Child.Ended ended = child.run(CommandTrial.shell(line), output);
        long left = Long.parseLong(ended.out().strip());
        while (runs(left)) Thread.sleep(5);
      }
    }
  }

  /** As where Ctrl-C ends the helper by which a JVM starts a process. */
  @Test
  void aProcessThatDoesNotStartBecauseOfAStopIsAStop() throws Exception {
    try (Child child = new Child(60_000)) {
      Thread stops =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!Files.exists(output)) Thread.onSpinWait();
                    child.stop();
                  });
      assertThatThrownBy(() -> child.run(List.of("/nowhere/program"), output))
          .isInstanceOf(Stopped.class);
      stops.join();
    }
  }

  @Test
  void aProcessThatDoesNotStartIsOneLine() {
    try (Child child = new Child(1)) {
      assertThatThrownBy(() -> child.run(List.of("/nowhere/program"), output))
          .isInstanceOf(Problem.class)
          .message()
          .startsWith("cannot start /nowhere/program: ")
          .hasLineCount(1);
    }
  }

  @Test
  void whatHangsIsEnded() throws Exception {
    try (Child child = new Child()) {
      List<String> hangs = CommandTrial.shell("echo $$; exec sleep 300");
      assertThatThrownBy(() -> child.run(hangs, null, 0.1, output))
          .isInstanceOf(Problem.class)
          .hasMessage("still runs after 0 s");
      String pid = Files.readString(output).strip();
      if (!pid.isEmpty()) assertThat(runs(Long.parseLong(pid))).isFalse();
    }
  }

  @Test
  void ofMoreOutputThanFitsTheEndIsRead() throws Exception {
    try (Child child = new Child()) {
      // Three gigabytes that take no room.
      String line = "dd bs=1M seek=3072 count=0 2>/dev/null; echo; echo rate: 5";
      Child.Ended ended = child.run(CommandTrial.shell(line), output);
      assertThat(Files.size(output)).isGreaterThan(3L << 30);
      assertThat(ended.out()).isEqualTo("rate: 5\n");
    }
  }
}
