package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("a script cannot be run while a process of another thread has it open")
class LauncherFindsAJdkTest {
  @TempDir Path folder;
  private FakeMachine machine;

  @BeforeEach
  void aMachineWithABuiltTree() throws IOException {
    machine = new FakeMachine(folder);
    machine.jar();
  }

  @Test
  void withoutAnyJdkOneLineSaysWhatIsNeeded() throws IOException {
    machine.jdk("usr/lib/jvm/java-17", "17.0.15");
    var outcome = machine.run("--version");
    assertRefused(outcome, "no JDK 25 or newer", "RIDGELINE_JAVA=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usr/lib/jvm/temurin-25-jdk-amd64",
        "usr/lib/jvm/java-25-openjdk",
        "usr/java/jdk-25",
        "opt/jdk-25",
        "opt/java/openjdk",
        "~/.sdkman/candidates/java/25-tem",
        "~/.jdks/temurin-25",
        "~/.gradle/jdks/eclipse_adoptium-25",
        "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home",
        "~/Library/Java/JavaVirtualMachines/x/Contents/Home",
        "opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home",
        "usr/local/opt/openjdk/libexec/openjdk.jdk/Contents/Home",
        "home/linuxbrew/.linuxbrew/opt/openjdk@25/libexec",
        "~/.local/share/mise/installs/java/25",
        "~/.asdf/installs/java/temurin-25",
        "~/.jenv/versions/25",
      })
  void theUsualFoldersAreSearched(String where) throws IOException {
    machine.jdk("usr/lib/jvm/java-1.17.0", "17.0.15");
    assertUses(machine.jdk(where, "25.0.1"));
  }

  @Test
  void theNewestUpdateOfTheTestedVersionIsPreferred() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    Path newest = machine.jdk("usr/lib/jvm/b", "25.0.12");
    machine.jdk("usr/lib/jvm/c", "25.0.9");
    machine.jdk("usr/lib/jvm/d", "27");
    assertUses(newest);
  }

  @Test
  void withoutTheTestedVersionTheNewestIsTaken() throws IOException {
    machine.jdk("usr/lib/jvm/a", "26.0.1");
    Path newest = machine.jdk("opt/b", "27-ea");
    machine.jdk("usr/lib/jvm/c", "26");
    assertUses(newest);
  }

  @Test
  void javaHomeComesBeforeTheFolders() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    Path mine = machine.jdk("~/mine", "26");
    machine.set("JAVA_HOME", mine.toString());
    assertUses(mine);
  }

  @Test
  void anOldJavaHomeIsPassedOver() throws IOException {
    machine.set("JAVA_HOME", machine.jdk("~/old", "1.8.0_392").toString());
    assertUses(machine.jdk("usr/lib/jvm/a", "25.0.3"));
  }

  @Test
  void aJdkWithoutTheVectorModuleIsPassedOver() throws IOException {
    machine.set("JAVA_HOME", machine.jre("~/small", "25", "java.base").toString());
    assertUses(machine.jdk("usr/lib/jvm/a", "25.0.3"));
  }

  @Test
  void javaOnThePathIsFollowedThroughItsLinks() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    Path elsewhere = machine.jdk("elsewhere/jdk", "26");
    Path alternative = machine.root.resolve("alternative");
    Files.createSymbolicLink(alternative, elsewhere.resolve("bin/java"));
    Files.createSymbolicLink(machine.root.resolve("tools/java"), Path.of("../alternative"));
    assertUses(elsewhere);
  }

  @Test
  void aScriptOfAVersionManagerOnThePathIsAsked() throws IOException {
    Path managed = machine.jdk("managed/jdk", "25.0.2");
    machine.tool("java", "#!/bin/sh\nexec '" + managed + "/bin/java' \"$@\"\n");
    assertUses(managed);
  }

  @Test
  void theChosenJdkBeatsAllOthers() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    machine.set("JAVA_HOME", machine.jdk("~/home jdk", "25.0.4").toString());
    Path chosen = machine.jdk("chosen jdk", "26");
    machine.set("RIDGELINE_JAVA", chosen.toString());
    assertUses(chosen);
    machine.set("RIDGELINE_JAVA", chosen.resolve("bin/java").toString());
    assertUses(chosen);
  }

  @Test
  void aChosenJdkThatIsTooOldIsRefused() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    machine.set("RIDGELINE_JAVA", machine.jdk("old", "17.0.15").toString());
    assertRefused(machine.run(), "RIDGELINE_JAVA=", "is Java 17.0.15", "25 or newer");
  }

  @Test
  void aChosenJdkThatDoesNotExistIsRefused() throws IOException {
    machine.jdk("usr/lib/jvm/a", "25.0.3");
    machine.set("RIDGELINE_JAVA", "/no/such/jdk");
    assertRefused(machine.run(), "RIDGELINE_JAVA=/no/such/jdk does not exist");
    machine.set("RIDGELINE_JAVA", "/two\nlines\033[31m");
    assertRefused(machine.run(), "RIDGELINE_JAVA=/two?lines?[31m does not exist");
  }

  @Test
  void aChosenFolderWithoutJavaIsRefused() {
    machine.set("RIDGELINE_JAVA", machine.home.toString());
    assertRefused(machine.run(), "holds no working bin/java");
  }

  @Test
  void aChosenJdkWithoutTheVectorModuleIsRefused() throws IOException {
    machine.set("RIDGELINE_JAVA", machine.jre("small", "25", "java.base").toString());
    assertRefused(machine.run(), "lacks the module jdk.incubator.vector");
  }

  private void assertUses(Path jdk) {
    var outcome = machine.run("--version");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).startsWith("home " + jdk + "\n").endsWith("<--version>\n");
    assertThat(outcome.code()).isZero();
  }

  private static void assertRefused(Outcome outcome, String... words) {
    assertThat(outcome.err()).startsWith("ridgeline: ").hasLineCount(1).contains(words);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.code()).isEqualTo(2);
  }
}
