package dev.ridgeline.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** A process that ends looks to its watchdog like one that lets go of it. */
@Execution(CONCURRENT)
class WatchdogTest {
  private Process trial;
  private Watchdog watchdog;

  @BeforeEach
  void begin() throws IOException {
    trial = new ProcessBuilder("/bin/sh", "-c", "sleep 300 & sleep 300 & wait").start();
    watchdog = Watchdog.begin();
  }

  @AfterEach
  void end() {
    trial.descendants().forEach(ProcessHandle::destroyForcibly);
    trial.destroyForcibly();
  }

  @Test
  void aTrialEndsWithItsSessionAndSoDoesAllThatItStarted() throws Exception {
    while (trial.descendants().count() < 2) Thread.sleep(10);
    List<ProcessHandle> started = trial.descendants().toList();
    watchdog.watch(trial, Mark.next());
    watchdog.close();
    assertThat(trial.waitFor(30, TimeUnit.SECONDS)).isTrue();
    for (ProcessHandle each : started) each.onExit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void soDoesWhatTheTrialLeftInTheBackground() throws Exception {
    Mark mark = Mark.next();
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", "sleep 300");
    mark.on(builder.environment());
    Process left = builder.start();
    try {
      assumeTrue(!mark.bearers().isEmpty(), "processes do not show their environment");
      watchdog.watch(trial, mark);
      watchdog.close();
      assertThat(left.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      left.destroyForcibly();
    }
  }

  @Test
  void whatIsOverIsNotEndedAgain() throws Exception {
    watchdog.watch(trial, Mark.next());
    watchdog.rest();
    watchdog.close();
    watchdog.shell().onExit().get(30, TimeUnit.SECONDS);
    assertThat(trial.isAlive()).isTrue();
  }
}
