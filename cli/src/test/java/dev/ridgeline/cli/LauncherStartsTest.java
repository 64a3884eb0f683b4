package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a script cannot be run while a process of another thread has it open")
class LauncherStartsTest {
  private static final String TRAINED = "25.0.3-Nobody___Sons.aot";

  @TempDir Path folder;
  private FakeMachine machine;
  private Path jdk;

  @BeforeEach
  void aMachineWithABuiltTree() throws IOException {
    machine = new FakeMachine(folder);
    machine.jar();
    jdk = machine.jdk("usr/lib/jvm/jdk-25", "25.0.3");
  }

  @Test
  void everyFlagTheJvmNeedsIsGiven() {
    assertThat(machine.run().out())
        .contains(
            "<--add-modules>\n<jdk.incubator.vector>\n",
            "<--enable-native-access=ALL-UNNAMED>",
            "<-Xlog:disable>\n<-Xlog:all=error:stderr>",
            "<-XX:+UseSerialGC>",
            "<-jar>\n<" + machine.tree + "/cli/target/ridgeline.jar>");
  }

  @Test
  void argumentsArriveAsTheyWereTyped() {
    assertThat(machine.run("a b", "*", "", "--x=$HOME", "é\"'").out())
        .endsWith("<a b>\n<*>\n<>\n<--x=$HOME>\n<é\"'>\n");
  }

  /** The shell that starts has a line of its own about such a locale. */
  @Test
  void aLocaleThatIsNotInstalledIsReplacedWithoutAWord() throws IOException {
    machine.tool("uname", "#!/bin/sh\necho Linux\n");
    machine.tool("locale", "#!/bin/sh\necho not so >&2\necho ANSI_X3.4-1968\n");
    machine.set("LC_ALL", "tlh_QO.UTF-8");
    var outcome = machine.run("é");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("locale C.UTF-8\n").endsWith("<é>\n");
    machine.tool("locale", "#!/bin/sh\necho UTF-8\n");
    machine.set("LC_ALL", null).set("LANG", "tlh_QO.UTF-8");
    assertThat(machine.run("é").out()).contains("locale \n").endsWith("<é>\n");
  }

  @Test
  void aChainOfLinksFromAnotherFolderLeadsToTheTreeAndKeepsTheFolder() throws IOException {
    Path bin = Files.createDirectories(machine.home.resolve("my bin"));
    Files.createSymbolicLink(bin.resolve("first"), Path.of("../the tree/ridgeline"));
    Files.createSymbolicLink(bin.resolve("second"), bin.resolve("first"));
    Path third = Files.createSymbolicLink(machine.root.resolve("third"), bin.resolve("second"));
    assertThat(machine.runAs(third, "x").out())
        .contains("folder " + machine.root + "\n")
        .endsWith("<" + machine.tree + "/cli/target/ridgeline.jar>\n<x>\n");
  }

  @Test
  void moreOptionsReachTheJvm() {
    machine.set("RIDGELINE_JVM_OPTS", "-Xmx3g  -Dstar=*");
    assertThat(machine.run().out()).contains("<-Xmx3g>\n<-Dstar=*>\n<-jar>");
  }

  @Test
  void aCollectorOfTheUsersReplacesOurs() {
    machine.set("RIDGELINE_JVM_OPTS", "-XX:+UseParallelGC");
    assertThat(machine.run().out())
        .contains("<-XX:+UseParallelGC>", "<-Dridgeline.aot=it is made for the serial collector>")
        .doesNotContain("UseSerialGC", "-XX:AOTCache");
  }

  @Test
  void theAotCacheIsMadeOnceAndUsed() throws IOException {
    Path cache = machine.tree.resolve("cli/target/aot").resolve(TRAINED);
    assertThat(machine.run().out()).contains("<-XX:AOTCache=" + cache + ">");
    Files.writeString(cache, "kept");
    assertThat(machine.run().out()).contains("<-XX:AOTCache=" + cache + ">");
    assertThat(cache).hasContent("kept");
    assertThat(cache.getParent()).isDirectoryNotContaining(f -> !f.equals(cache));
  }

  @Test
  void theAotCacheOfAnotherJdkIsAnotherFile() throws IOException {
    machine.run();
    machine.set("JAVA_HOME", machine.jdk("jdk-26", "26").toString());
    assertThat(machine.run().out()).contains("<-XX:AOTCache=").contains("/26-Nobody");
    assertThat(machine.tree.resolve("cli/target/aot").resolve(TRAINED)).exists();
  }

  @Test
  void aCacheThatCannotBeMadeIsNotTriedAgainAndChangesNothing() throws IOException {
    FakeMachine.write(jdk.resolve("bin/untrainable"), "");
    var outcome = machine.run("x");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).doesNotContain("AOTCache").contains("<-Dridgeline.aot=see ");
    Files.delete(jdk.resolve("bin/untrainable"));
    assertThat(machine.run("x").out()).doesNotContain("AOTCache");
  }

  @Test
  void whereTheTreeCannotHoldTheCacheTheUsersFolderDoes() throws IOException {
    FakeMachine.write(machine.tree.resolve("cli/target/aot"), "not a folder");
    assertThat(machine.run().out())
        .contains("<-XX:AOTCache=" + machine.home.resolve(".cache/ridgeline"));
    machine.set("XDG_CACHE_HOME", "/proc/nowhere");
    assertThat(machine.run().out()).contains("<-Dridgeline.aot=nowhere to write it>");
  }

  @Test
  void aJvmThatCannotStartIsABadQuestionNotABadAnswer() throws IOException {
    FakeMachine.write(jdk.resolve("bin/unstartable"), "Could not reserve enough space");
    var outcome = machine.run("x");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "ridgeline: the JVM in " + jdk + " does not start: Could not reserve enough space\n");
  }
}
