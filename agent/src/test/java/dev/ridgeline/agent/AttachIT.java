package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import acme.engine.Saboteur;
import com.sun.tools.attach.VirtualMachine;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that runs already is recorded for a while and left as it was. */
@Execution(CONCURRENT)
class AttachIT {
  @TempDir Path folder;
  private Process process;
  private Path answer;

  @BeforeEach
  void startABusyProgram() throws Exception {
    answer = folder.resolve("answer.txt");
    process = target().startPlain("acme.engine.Busy");
    target().await(process, "ready");
  }

  @AfterEach
  void endIt() throws Exception {
    process.destroyForcibly().waitFor();
  }

  @Test
  void itIsRecordedForTheTimeGiven() throws Exception {
    attach("scope=acme.engine.Busy,duration=300ms");
    CallTree tree = awaitRun(1).profile().tree();
    assertThat(total(tree, "Busy.round")).isPositive();
    assertThat(total(tree, "Busy.step")).isPositive();
    assertThat(tree.nodes()).anyMatch(Node::isTask);
    programIsFine();
  }

  @Test
  void nothingOfTheAgentIsLeftInItsClasses() throws Exception {
    attach("scope=acme.**,duration=200ms");
    awaitRun(1);
    sabotageHooks();
    programIsFine();
  }

  /** The test above can fail: while the agent is there, its hooks are called. */
  @Test
  void sabotagedHooksAreNoticedWhileTheAgentIsThere() throws Exception {
    attach("scope=Busy.step,handovers=off,duration=1h");
    sabotageHooks();
    process.getOutputStream().close();
    assertThat(target().end(process).out()).endsWith("failed\n");
  }

  @Test
  void itCanBeDoneAgainAndAgainUnderLoad() throws Exception {
    for (int i = 1; i <= 6; i++) {
      attach("scope=Busy.step,Busy.round,duration=100ms,formats=none,name=again-" + i);
      CallTree tree = awaitRun(i).profile().tree();
      assertThat(total(tree, "Busy.step")).isPositive();
    }
    sabotageHooks();
    programIsFine();
  }

  @Test
  void itEndsWhenTold() throws Exception {
    attach("scope=Busy.step,duration=1h");
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    target().await(process, "went on");
    attach("stop=on");
    assertThat(total(awaitRun(1).profile().tree(), "Busy.step")).isPositive();
    programIsFine();
  }

  @Test
  void aSecondRecordingAtTheSameTimeIsRefused() throws Exception {
    attach("scope=Busy.step,duration=1h");
    attach("scope=Busy.step,duration=1s");
    assertThat(Files.readString(answer)).contains("refused this program is being recorded already");
    attach("stop=on");
    awaitRun(1);
  }

  @Test
  void aPatternThatMeetsNothingLoadedIsRefusedWithNearMisses() throws Exception {
    attach("scope=Buzy.step,duration=1s");
    assertThat(Files.readString(answer))
        .contains("refused scope 'Buzy.step' matched nothing", "did you mean Busy?");
    assertThat(new Runs(target().runs()).list()).isEmpty();
    sabotageHooks();
    programIsFine();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scope=Buzy.step                | scope 'Buzy.step' matched nothing",
        "scope=Busy.step,level=fast     | level=fast: time, allocation or trace",
        "exlude=Busy                    | no option 'exlude'",
        "scope=Busy.step,sampler=async  | sampler=async: async-profiler is not in this JVM",
        "scope=Busy.step,runs=/dev/null | /dev/null",
      })
  void aRefusalIsInTheAnswerAndNothingIsSaidInTheProgram(String options, String line)
      throws Exception {
    attach(options);
    assertThat(Files.readString(answer)).startsWith("refused " + line).hasLineCount(1);
    assertThat(programIsFine().err()).doesNotContain("Exception", "ASSERTION", "ridgeline-agent:");
  }

  @Test
  void aProgramThatEndsEarlyKeepsWhatWasRecorded() throws Exception {
    attach("scope=Busy.step,duration=1h");
    programIsFine();
    assertThat(total(awaitRun(1).profile().tree(), "Busy.step")).isPositive();
  }

  private void attach(String options) throws Exception {
    if (!Files.exists(answer)) Files.createFile(answer);
    VirtualMachine vm = VirtualMachine.attach(Long.toString(process.pid()));
    try {
      vm.loadAgent(Target.AGENT.toString(), options + ",quiet=on,answer=" + answer);
    } finally {
      vm.detach();
    }
  }

  private void sabotageHooks() throws Exception {
    Path jar = folder.resolve("saboteur.jar");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Agent-Class", Saboteur.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      entries.putNextEntry(new JarEntry("empty"));
    }
    VirtualMachine vm = VirtualMachine.attach(Long.toString(process.pid()));
    try {
      vm.loadAgent(jar.toString());
    } finally {
      vm.detach();
    }
  }

  /** Lets it work on for some rounds and end by itself. */
  private Target.Ended programIsFine() throws Exception {
    process.getOutputStream().close();
    var ended = target().end(process);
    assertThat(ended.out()).as(ended.err()).endsWith("fine\n");
    assertThat(ended.code()).isZero();
    return ended;
  }

  private RunDirectory awaitRun(int number) throws IOException, InterruptedException {
    for (int i = 0; i < 3_000; i++) {
      long runs = Files.readString(answer).lines().filter(l -> l.startsWith("run ")).count();
      if (runs >= number) break;
      Thread.sleep(10);
    }
    List<RunDirectory> runs = new Runs(target().runs()).list();
    assertThat(runs).as(Files.readString(answer)).hasSize(number);
    return runs.getFirst();
  }

  private static long total(CallTree tree, String name) {
    return tree.nodes().stream()
        .filter(node -> node.name().equals(name))
        .mapToLong(Node::calls)
        .sum();
  }

  private Target target() {
    return new Target(folder);
  }
}
