package dev.ridgeline.cli.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void nothingIsDrawnOnADumbOne() {
    Map<String, String> dumb = Map.of("TERM", "dumb");
    assertThat(Terminal.of("out err", dumb, 80)).isEqualTo(new Terminal(true, false, false, 80));
    Map<String, String> xterm = Map.of("TERM", "xterm", "NO_COLOR", "");
    assertThat(Terminal.of("out err", xterm, 80)).isEqualTo(new Terminal(true, true, true, 80));
    Map<String, String> plain = Map.of("NO_COLOR", "1");
    assertThat(Terminal.of("out", plain, 80)).isEqualTo(new Terminal(true, false, false, 80));
    assertThat(Terminal.of("", Map.of(), 80)).isEqualTo(new Terminal(false, false, false, 80));
  }
}
