package dev.ridgeline.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorktreesTest {
  private static String reason(String out) {
    return Worktrees.firstError(new Child.Ended(1, out, "", 0));
  }

  @Test
  void aBuildThatFailsIsToldByItsFirstErrorAndNotByAHeading() {
    assertThat(
            reason(
                """
                [INFO] Scanning
                [ERROR] COMPILATION ERROR :
                [ERROR] /a/B.java:[3,5] ';' expected
                """))
        .isEqualTo("/a/B.java:[3,5] ';' expected");
    assertThat(
            reason(
                """
                [ERROR] [ERROR] Some problems were encountered while processing the POMs:
                [FATAL] Non-readable POM /a/pom.xml: no such file @
                """))
        .isEqualTo("Non-readable POM /a/pom.xml: no such file @");
    assertThat(reason("")).isEqualTo("mvn ended with code 1");
  }

  @Test
  void theLastLineIsToldWithoutItsIndentation() {
    assertThat(Worktrees.last("Error: LinkageError\n\tjava.lang.Error: too old\n\n"))
        .isEqualTo("java.lang.Error: too old");
    assertThat(Worktrees.last(" \n")).isEqualTo("it does not say why");
  }
}
