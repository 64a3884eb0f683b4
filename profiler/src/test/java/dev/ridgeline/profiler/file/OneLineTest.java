package dev.ridgeline.profiler.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void whatSteersATerminalIsShownAsItsCode() {
    assertThat(OneLine.of("a\nb\u001b[31m\u202e\u2028 é プ"))
        .isEqualTo("a\\nb\\u001b[31m\\u202e\\u2028 é プ");
  }

  @Test
  void aLongWordIsCutInItsMiddle() {
    String line = OneLine.of("no run '/" + "x".repeat(5_000) + "/end': gone");
    assertThat(line).startsWith("no run '/xxx").contains("x…x").endsWith("/end': gone");
    assertThat(line).hasSizeLessThan(250);
    assertThat(OneLine.of("many words ".repeat(1_000) + "end"))
        .hasSizeLessThanOrEqualTo(800)
        .endsWith(" end");
  }
}
