package dev.ridgeline.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalTest {
  private static String of(int code, String err) {
    return Refusal.of(new Child.Ended(code, "", err, 0));
  }

  @Test
  void aFlagThatTheJvmRefusesIsToldInItsOwnWords() {
    assertThat(
            of(
                1,
                """
                Picked up something
                Unrecognized VM option 'NoSuchFlag'
                Error: Could not create the Java Virtual Machine.
                Error: A fatal exception has occurred. Program will exit.
                """))
        .isEqualTo("Unrecognized VM option 'NoSuchFlag'");
    assertThat(
            of(
                1,
                """
                WARNING: Using incubator modules: jdk.incubator.vector
                Error occurred during initialization of VM
                Too small maximum heap
                """))
        .isEqualTo("Too small maximum heap");
  }

  @Test
  void whatRidgelineSaysComesBeforeWhatElseIsPrinted() {
    assertThat(of(2, "noise\nridgeline: no such file\n")).isEqualTo("no such file");
  }

  @Test
  void aJvmThatIsTooOldIsCalledThat() {
    assertThat(
            of(
                1,
                """
                Error: LinkageError occurred while loading main class dev.ridgeline.cli.Main
                	java.lang.UnsupportedClassVersionError: compiled by a more recent version
                """))
        .isEqualTo("its JVM is too old for ridgeline");
  }

  @Test
  void aCrashAndSilenceHaveTheirExitCode() {
    assertThat(of(134, "#\n# A fatal error has been detected\n#  SIGSEGV\n"))
        .isEqualTo("A fatal error has been detected (exit code 134)");
    assertThat(of(137, "\n")).isEqualTo("it does not say why (exit code 137)");
  }
}
