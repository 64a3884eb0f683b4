package dev.ridgeline.agent.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** What a program is called, from what the JVM says of it. */
@Execution(CONCURRENT)
class ProgramTest {
  private static final String SOURCE = "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher ";

  @Test
  void aClassIsCalledWithoutItsPackage() {
    assertThat(word("com.acme.Main", "x")).isEqualTo("Main");
    assertThat(word("com.acme.Main first second.jar", "x:y.jar")).isEqualTo("Main");
    assertThat(word("com.acme.app/com.acme.Main -jar other.jar", "")).isEqualTo("Main");
    assertThat(word("Main", "")).isEqualTo("Main");
    assertThat(word("", "")).isEqualTo("java");
  }

  @Test
  void aFileIsCalledWithoutItsEnding() {
    assertThat(word("app.jar run", "app.jar")).isEqualTo("app");
    assertThat(word("/opt/my tools/app 2.jar a b.jar", "/opt/my tools/app 2.jar"))
        .isEqualTo("app 2");
    assertThat(word(SOURCE + "Foo.java", "")).isEqualTo("Foo");
    assertThat(word(SOURCE + "src/a b/Foo.java Bar.java", "x")).isEqualTo("Foo");
    assertThat(word(SOURCE + "script first", "")).isEqualTo("script");
  }

  @Test
  void onlyAClassHasAPackage() {
    assertThat(program("com.acme.Main", "").mainPackage()).isEqualTo("com.acme");
    assertThat(program("com.acme.app/com.acme.Main", "").mainPackage()).isEqualTo("com.acme");
    assertThat(program("app.jar", "app.jar").mainPackage()).isEmpty();
    assertThat(program(SOURCE + "Foo.java", "").mainPackage()).isEmpty();
  }

  @Test
  void itIsStartedAgainAsItWas() {
    assertThat(Program.program("com.acme.Main a b", "x:y.jar"))
        .containsExactly("-cp", "x:y.jar", "com.acme.Main", "a", "b");
    assertThat(Program.program("my app.jar run", "my app.jar"))
        .containsExactly("-jar", "my app.jar", "run");
    assertThat(Program.program("com.acme.app/com.acme.Main 1", ""))
        .containsExactly("-m", "com.acme.app/com.acme.Main", "1");
    assertThat(Program.program(SOURCE + "src/Foo.java 1", "x"))
        .containsExactly("-cp", "x", "src/Foo.java", "1");
    assertThat(Program.here().start())
        .startsWith("cd ")
        .contains("/bin/java ", " -cp ", System.getProperty("java.home"));
  }

  private static String word(String java, String classPath) {
    return program(java, classPath).word();
  }

  private static Program program(String java, String classPath) {
    return new Program(Program.main(java, classPath), List.of(), "");
  }
}
