package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generation as a script does it, and how it ends when it is told to. */
@Execution(CONCURRENT)
class GenerateIT {
  /** An exit code for what cannot be tried. */
  private static final int IGNORED = 77;

  @TempDir private Path folder;

  @BeforeEach
  void makeTheModel() {
    TinyDecoder.write(folder.resolve("tiny.gguf"));
  }

  @Test
  void aPipeInIsAPipeOut() {
    Outcome outcome =
        bash("printf 'the man' | \"$ridgeline\" generate -m tiny.gguf -n 9 --temperature 0");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).endsWith("\n").hasSizeGreaterThan(3);
  }

  @Test
  void slowerKernelsThanTheMachineHasAreNeverSilent() {
    Outcome outcome =
        bash(
            "RIDGELINE_JVM_OPTS=-Dridgeline.integer=false"
                + " \"$ridgeline\" generate -m tiny.gguf -p 'the man' -n 2");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err())
        .isEqualTo(
            "ridgeline: slower kernels than this machine has: leave out"
                + " -Dridgeline.integer=false\n");
  }

  @Test
  void aReaderThatLeftEndsItQuietly() {
    Outcome outcome =
        bash(
            "exec 3> >(exec <&-); wait $!;"
                + " \"$ridgeline\" generate -m tiny.gguf -p 'the man' -n 9 >&3");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isEqualTo(ExitCode.READER_LEFT);
  }

  @ParameterizedTest
  @CsvSource({"TERM, 15", "HUP, 1"})
  void aTextThatIsToEndEndsWhereItIs(String signal, int number) {
    Outcome outcome =
        bash(
            """
            # What nohup ignores, a program started below it ignores, too, and no shell changes that.
            heard=
            if env --default-signal=%1$s true 2>unused; then
              heard="env --default-signal=%1$s"
            elif [ -n "$(trap -p %1$s)" ]; then
              exit %2$s
            fi
            $heard "$ridgeline" generate -m tiny.gguf --inferences 200000 --tokens 50 >text &
            until [ -s text ]; do sleep 0.1; done
            kill -%1$s $!
            wait $!
            code=$?
            tail -c 1 text | od -An -c
            exit $code
            """
                .formatted(signal, IGNORED));
    assumeTrue(outcome.code() != IGNORED, signal + " is ignored here, as below nohup");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isEqualTo(128 + number);
    assertThat(outcome.out()).contains("\\n");
  }

  @Test
  void theProfileOfAnInterruptedGenerationIsKept() {
    Outcome outcome =
        bash(
            """
            export RIDGELINE_JVM_OPTS=-Dridgeline.terminal=err
            "$ridgeline" profile generate -m tiny.gguf --inferences 200000 --tokens 50 \\
              --iterations 1 --warm-up 0 --runs runs 2>progress &
            until grep -qE 'measuring, round ([3-9]|[0-9]{2})' progress 2>/dev/null; do
              sleep 0.1
            done
            kill -TERM $!
            wait $!
            """);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(128 + 15);
    Run run = new Runs(folder.resolve("runs")).find("last").run();
    Metric decode = run.metrics().getFirst();
    assertThat(decode.name()).isEqualTo("decode");
    String where = "after %,d of 200,000 rounds".formatted(decode.samples().size());
    assertThat(run.conditions()).containsEntry("interrupted", where);
    assertThat(run.title()).endsWith(" · interrupted " + where);
  }

  /** Its own child gets no signal of a terminal. */
  @Test
  void npmEndsWithWhoStartedIt() {
    Outcome outcome =
        bash(
            """
            mkdir bin
            printf '#!/bin/sh\necho $$ >../../../npm\nsleep 60\n' >bin/npm
            chmod +x bin/npm
            PATH=$PWD/bin:$PATH "$ridgeline" generate -p 'the man' &
            until [ -s npm ]; do sleep 0.1; done
            kill -TERM $!
            wait $!
            code=$?
            kill -0 $(cat npm) && echo it is still there
            find cache/work -type f
            exit $code
            """);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasLineCount(1).containsIgnoringCase("no such process");
    assertThat(outcome.code()).isEqualTo(128 + 15);
  }

  private Outcome bash(String script) {
    var environment = new HashMap<String, String>();
    environment.put("RIDGELINE_NO_BUILD", "1");
    environment.put("RIDGELINE_CACHE", folder.resolve("cache").toString());
    environment.put("RIDGELINE_JAVA", System.getProperty("java.home"));
    environment.put("ridgeline", FakeMachine.launcher().toString());
    return Outcome.ofShell(folder, environment, script);
  }
}
