package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.lang.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However a program ends: its exit code and output are its own, and what was recorded is kept. */
@Execution(CONCURRENT)
class EndIT {
  @TempDir Path folder;

  @Test
  void theRunHoldsWhatTheCommandLineToolWrites() throws Exception {
    var ended = target().run("scope=Engine.*,name=my engine", "acme.engine.Engine");
    RunDirectory run = ended.run();
    assertThat(run.name()).endsWith("-my-engine");
    assertThat(run.path().toFile().list())
        .containsExactlyInAnyOrder(
            "run.json", "profile.json", "report.html", "report.md", "top.txt");
    assertThat(run.run().title()).isEqualTo("Engine");
    assertThat(run.run().command()).contains("acme.engine.Engine");
    assertThat(run.run().workload()).containsEntry("scopes", "Engine.*");
  }

  @Test
  void standardOutputBelongsToTheProgram() throws Exception {
    var plain = target().end(target().startPlain("acme.engine.Engine"));
    var ended = target().run("scope=acme.**", "acme.engine.Engine");
    assertThat(ended.out()).isEqualTo(plain.out()).isNotEmpty();
    assertThat(ended.err()).contains("Engine.main", "report.html");
  }

  @Test
  void quietSaysNothing() throws Exception {
    var ended = target().run("scope=acme.**,quiet=on", "acme.engine.Engine");
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void exitKeepsItsCode() throws Exception {
    var ended = target().run("scope=Waiting.work", "acme.engine.Waiting", "exit");
    assertThat(ended.code()).isEqualTo(7);
    assertThat(ended.tree().find("Waiting.work").calls()).isEqualTo(10);
  }

  @Test
  void anUncaughtExceptionKeepsItsCode() throws Exception {
    var ended = target().run("scope=Waiting.work", "acme.engine.Waiting", "throw");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.err()).contains("IllegalStateException: planned");
    assertThat(ended.tree().find("Waiting.work").calls()).isEqualTo(10);
  }

  @Test
  void aTerminatedProgramKeepsWhatWasRecorded() throws Exception {
    Process process = target().start("scope=Waiting.work", "acme.engine.Waiting");
    target().await(process, "ready");
    process.destroy();
    var ended = target().end(process);
    assertThat(ended.code()).isEqualTo(128 + 15);
    assertThat(ended.tree().find("Waiting.work").calls()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void aKilledProgramKeepsItsLastCopyAndNothingHalfWritten() throws Exception {
    Process process = target().start("scope=Waiting.work,snapshot=100ms", "acme.engine.Waiting");
    target().await(process, "ready");
    awaitCopy();
    process.destroyForcibly();
    var ended = target().end(process);
    assertThat(ended.code()).isEqualTo(128 + 9);
    Runs runs = new Runs(target().runs());
    assertThat(runs.list()).isEmpty();
    assertThat(runs.salvage()).hasSize(1);
    assertThat(runs.list()).hasSize(1);
    RunDirectory run = ended.run();
    assertThat(run.run().title()).contains("killed");
    assertThat(run.profile().tree().find("Waiting.work").calls()).isGreaterThanOrEqualTo(10);
    assertThat(runs.salvage()).isEmpty();
    assertThat(target().runs().toFile().list()).hasSize(1);
  }

  @Test
  void theNextRunFindsWhatAKilledOneLeft() throws Exception {
    Process process = target().start("scope=Waiting.work,snapshot=100ms", "acme.engine.Waiting");
    target().await(process, "ready");
    awaitCopy();
    process.destroyForcibly();
    target().end(process);
    Runs runs = new Runs(target().runs());
    runs.begin("next", Instant.now()).close();
    assertThat(runs.list()).hasSize(1);
  }

  private void awaitCopy() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      try (var drafts = Files.newDirectoryStream(target().runs(), ".tmp-*")) {
        for (Path draft : drafts) if (Files.exists(draft.resolve("run.json"))) return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no copy was ever written");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scope=Foo.bar(    | pattern 'Foo.bar(': a closing ) is missing",
        "exlude=Foo        | no option 'exlude'; did you mean exclude?",
        "runs=/dev/null/x  | /dev/null/x",
      })
  void aBadQuestionIsOneLineAndNothingRuns(String options, String line) throws Exception {
    var ended = target().run(options, "acme.engine.Engine");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err().lines()).hasSize(1);
    assertThat(ended.err()).startsWith("ridgeline-agent: " + line);
  }

  @Test
  void aPatternThatMetNothingIsSaidWithWhatItMayHaveMeant() throws Exception {
    var ended = target().run("scope=Enigne.run,Engine.atention,Engine.spin", "acme.engine.Engine");
    assertThat(ended.code()).isZero();
    assertThat(ended.err())
        .contains(
            "scope 'Enigne.run' matched nothing: no class has that name; did you mean Engine?")
        .contains("'Engine.atention' matched nothing", "did you mean attention?");
  }

  @Test
  void withoutAnyScopeTheWayToOneIsSaid() throws Exception {
    var ended = target().run("sample=none", "acme.engine.Waiting", "exit");
    assertThat(ended.err()).contains("nothing was recorded", "try scope=acme.engine.**");
  }

  @Test
  void whatIsReadFromStandardInputArrives() throws Exception {
    Process process = target().start("scope=acme.**", "acme.engine.Waiting", "echo");
    process.getOutputStream().write("hello é\n".getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    assertThat(target().end(process).out()).isEqualTo("ready\nhello é\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"end", "exit"})
  void samplesSurviveTheEndOfTheFlightRecorder(String way) throws Exception {
    var ended =
        target()
            .run(
                "scope=Waiting.busy,sample=cpu,formats=jfr,pprof-samples",
                "acme.engine.Waiting",
                "busy",
                way);
    assertThat(ended.err()).doesNotContain("Exception", "missing");
    var run = ended.run();
    assertThat(run.profile().samples().cpu()).isNotEmpty();
    assertThat(run.path().toFile().list()).contains("recording.jfr", "samples.pb.gz");
  }

  @Test
  void samplesBlameTheRecorderForNoMoreThanItCost() throws Exception {
    var ended =
        target()
            .run(
                "scope=Engine.spin,sample=cpu,level=time,budget=0,formats=none",
                "acme.engine.Waiting",
                "often");
    Profile profile = ended.run().profile();
    Samples samples = profile.samples();
    long calls = profile.tree().nodes().stream().mapToLong(CallTree.Node::calls).sum();
    assertThat(calls).isGreaterThanOrEqualTo(3_000_000);
    long blamed = 0;
    for (Samples.Cpu row : samples.cpu()) {
      if (row.stack() == Samples.NO_STACK) continue;
      var stack = samples.stack(row.stack());
      assertThat(stack)
          .as("threads of the agent")
          .noneMatch(frame -> frame.type().startsWith("dev.ridgeline.agent.record.Recording"));
      if (stack.getFirst().type().equals("dev.ridgeline")) blamed += row.weight();
    }
    assertThat((double) blamed).isLessThanOrEqualTo(calls * profile.calibration().scopeNanos());
    assertThat(samples.quality().ownNanos()).isPositive();
  }

  @Test
  void aProgramThatNobodyGaveScopesIsSampled() throws Exception {
    var ended = target().run("", "acme.engine.Waiting", "busy", "end");
    assertThat(ended.err()).contains("Engine.spin", "thread", "--scope 'acme.engine.**'");
    assertThat(ended.run().run().title()).isEqualTo("Waiting");
  }

  @Test
  void anAsyncProfilerThatIsNotThereIsOneLine() throws Exception {
    var ended = target().run("scope=Waiting.busy,sampler=async", "acme.engine.Waiting", "exit");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .hasLineCount(1)
        .startsWith(
            "ridgeline-agent: sampler=async: async-profiler is not in this JVM; add -agent");
    assertThat(ended.out()).isEmpty();
    assertThat(ended.runs())
        .satisfiesAnyOf(
            runs -> assertThat(runs).doesNotExist(), runs -> assertThat(runs).isEmptyDirectory());
  }

  @Test
  void theAgentCarriesNoNativeLibrary() throws Exception {
    try (var jar = new JarFile(Target.AGENT.toFile())) {
      assertThat(jar.stream()).noneMatch(entry -> entry.getName().endsWith(".so"));
      assertThat(jar.getEntry("inside/one/profiler/AsyncProfiler.class")).isNotNull();
    }
  }

  /** So that one from Java 8 on can say that it is too old, instead of failing to load it. */
  @Test
  void everyJvmCanReadTheEntry() throws Exception {
    try (var jar = new JarFile(Target.AGENT.toFile())) {
      byte[] entry =
          jar.getInputStream(jar.getEntry("dev/ridgeline/agent/Agent.class")).readAllBytes();
      assertThat(ClassFile.of().parse(entry).majorVersion()).isEqualTo(ClassFile.JAVA_8_VERSION);
    }
  }

  private Target target() {
    return new Target(folder);
  }
}
