package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a script cannot be run while a process of another thread has it open")
class LauncherBuildsTest {
  @TempDir Path folder;
  private FakeMachine machine;
  private Path jdk;

  @BeforeEach
  void aMachineWithAJdkAndMaven() throws IOException {
    machine = new FakeMachine(folder);
    jdk = machine.jdk("usr/lib/jvm/jdk-25", "25.0.3");
    machine.maven(0);
  }

  @Test
  void theFirstUseBuildsWithVisibleProgressAndThenRuns() throws IOException {
    var outcome = machine.run("--version");
    assertThat(outcome.err())
        .isEqualTo("ridgeline: first use, building\nridgeline: first use, building cli [1/1]\n");
    assertThat(outcome.out()).startsWith("home " + jdk).endsWith("<--version>\n");
    assertThat(machine.builds())
        .singleElement()
        .asString()
        .startsWith(jdk + " ")
        .contains("-pl cli -am package");
  }

  @Test
  void theSecondUseIsSilentAndBuildsNothing() throws IOException {
    machine.run("--version");
    assertThat(machine.run("--version").err()).isEmpty();
    assertThat(machine.builds()).hasSize(1);
  }

  @Test
  void aChangedSourceIsBuiltAgain() throws IOException {
    machine.run();
    Files.writeString(source(), "class Main { }");
    assertThat(machine.run().err()).startsWith("ridgeline: building\n");
    assertThat(machine.run().err()).isEmpty();
    assertThat(machine.builds()).hasSize(2);
    assertThat(machine.tree.resolve("cli/target/lib/part.jar")).hasContent("class Main { }");
  }

  @Test
  void aSourceOfADateLongAgoIsBuiltAgain() throws IOException {
    machine.run();
    Files.writeString(source(), "class Main { }");
    Files.setLastModifiedTime(source(), FileTime.from(Instant.EPOCH));
    assertThat(machine.run().err()).startsWith("ridgeline: building\n");
  }

  @Test
  void aSourceThatIsGoneIsBuiltAgain() throws IOException {
    Path other = source().resolveSibling("Other.java");
    FakeMachine.write(other, "class Other {}");
    machine.run();
    Files.delete(other);
    assertThat(machine.run().err()).startsWith("ridgeline: building\n");
  }

  @Test
  void newTimesOfTheSameSourcesBuildNothing() throws IOException {
    machine.run();
    touchLater(source());
    touchLater(machine.tree.resolve("pom.xml"));
    assertThat(machine.run().err()).isEmpty();
    assertThat(machine.builds()).hasSize(1);
  }

  @Test
  void whatMavenBuiltIsNotBuiltAgainWhenTheJarIsOlderThanItsSources() throws IOException {
    machine.jar();
    Files.setLastModifiedTime(jar(), FileTime.from(Instant.EPOCH));
    assertThat(machine.run().err()).isEmpty();
    assertThat(machine.run().err()).isEmpty();
    assertThat(machine.builds()).isEmpty();
  }

  @Test
  void jarsOfUnknownSourcesAreBuiltAgain() throws IOException {
    machine.jar();
    Files.delete(machine.tree.resolve("cli/target/.built"));
    assertThat(machine.run().err()).startsWith("ridgeline: building\n");
  }

  /** Its class loader opens some of them late, and reads from those that are open until it ends. */
  @Test
  void aBuildLeavesOpenJarsAsTheyWere() throws IOException {
    machine.run();
    try (var open = Files.newInputStream(jar());
        var part = Files.newInputStream(machine.tree.resolve("cli/target/lib/part.jar"))) {
      Files.writeString(source(), "class Other {}");
      assertThat(machine.run().code()).isZero();
      assertThat(open).hasContent("class Main {}");
      assertThat(part).hasContent("class Main {}");
    }
    assertThat(jar()).hasContent("class Other {}");
  }

  @Test
  void whileItBuildsAndWhenThatFailsTheOldJarsStay() throws IOException {
    machine.run();
    Files.writeString(source(), "class Other {}");
    FakeMachine.write(machine.tree.resolve("broken"), "");
    assertThat(machine.run().code()).isEqualTo(2);
    assertThat(jar()).hasContent("class Main {}");
    Files.writeString(source(), "class Main {}");
    assertThat(machine.run().err()).isEmpty();
  }

  @Test
  void aChangeToTestsOrBenchmarksBuildsNothing() throws IOException {
    machine.run();
    FakeMachine.write(machine.tree.resolve("cli/src/test/java/MainTest.java"), "");
    FakeMachine.write(machine.tree.resolve("bench/src/main/java/Bench.java"), "");
    touchLater(machine.tree.resolve("bench/src/main/java/Bench.java"));
    touchLater(machine.tree.resolve("cli/src/test/java/MainTest.java"));
    assertThat(machine.run().err()).isEmpty();
    assertThat(machine.builds()).hasSize(1);
  }

  @Test
  void aBuildThatFailsShowsWhyAndWhereTheLogIs() throws IOException {
    FakeMachine.write(machine.tree.resolve("broken"), "");
    var outcome = machine.run("--version");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains("[ERROR] it does not compile\n")
        .endsWith("everything it said is in " + machine.tree + "/cli/target/build.log\n");
    Files.delete(machine.tree.resolve("broken"));
    assertThat(machine.run("--version").code()).isZero();
  }

  @Test
  void withoutMavenOneLineSaysHowToGetIt() throws IOException {
    Files.delete(machine.root.resolve("tools/mvn"));
    var outcome = machine.run();
    assertThat(outcome.err()).hasLineCount(1).contains("building needs Maven", "apt install maven");
    assertThat(outcome.code()).isEqualTo(2);
  }

  @Test
  void aRuntimeWithoutCompilerLeavesTheBuildToAnotherJdk() throws IOException {
    Path runtime = machine.jre("runtime", "25.0.9", "java.base jdk.incubator.vector");
    machine.set("JAVA_HOME", runtime.toString());
    machine.run();
    assertThat(machine.builds()).singleElement().asString().startsWith(jdk + " ");
  }

  @Test
  void twoFirstUsesAtOnceBuildOnce() throws IOException {
    machine.maven(1);
    var other = CompletableFuture.supplyAsync(() -> machine.run("a"));
    var mine = machine.run("b");
    assertThat(mine.out()).endsWith("<b>\n");
    assertThat(other.join().out()).endsWith("<a>\n");
    assertThat(machine.builds()).hasSize(1);
    assertThat(machine.tree.resolve("cli/target/.lock")).doesNotExist();
  }

  @Test
  void theLockOfADeadProcessIsTakenOver() throws IOException {
    long dead = Outcome.dead();
    Files.createDirectories(machine.tree.resolve("cli/target"));
    Files.createSymbolicLink(
        machine.tree.resolve("cli/target/.lock"), Path.of(Long.toString(dead)));
    assertThat(machine.run("--version").code()).isZero();
    assertThat(machine.builds()).hasSize(1);
  }

  @Test
  void theMavenOfALauncherThatWasKilledIsWaitedFor() throws Exception {
    machine.maven(3);
    Process killed = machine.start();
    while (machine.builds().isEmpty() && killed.isAlive()) Thread.sleep(20);
    killed.destroyForcibly().waitFor();
    machine.maven(0);
    Files.writeString(source(), "class Other {}");
    var outcome = machine.run("--version");
    assertThat(outcome.err()).startsWith("ridgeline: waiting for the build that process ");
    assertThat(outcome.code()).isZero();
    assertThat(machine.builds()).hasSize(2);
    assertThat(jar()).hasContent("class Other {}");
    assertThat(machine.tree.resolve("cli/target/.lock.maven"))
        .doesNotExist()
        .satisfies(link -> assertThat(Files.isSymbolicLink(link)).isFalse());
  }

  @Test
  void withoutPermissionToBuildWhatIsThereRuns() throws IOException {
    machine.run();
    Files.writeString(source(), "class Other {}");
    machine.set("RIDGELINE_NO_BUILD", "1");
    assertThat(machine.run("--version").code()).isZero();
    assertThat(machine.builds()).hasSize(1);
    Files.delete(machine.tree.resolve("cli/target/ridgeline.jar"));
    assertThat(machine.run("--version").err()).contains("RIDGELINE_NO_BUILD is set");
  }

  private Path source() {
    return machine.tree.resolve("cli/src/main/java/Main.java");
  }

  private Path jar() {
    return machine.tree.resolve("cli/target/ridgeline.jar");
  }

  /** File times may be as coarse as a second. */
  private static void touchLater(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(2)));
  }
}
