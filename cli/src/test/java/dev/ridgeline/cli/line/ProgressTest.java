package dev.ridgeline.cli.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();

  @Test
  void linesComeNoFasterThanAskedFor() {
    try (Progress often = Progress.lines(new PrintWriter(err), 0);
        Progress seldom = Progress.lines(new PrintWriter(err), Long.MAX_VALUE)) {
      often.step("16 texts");
      seldom.step("17 texts");
      often.step("18 texts");
    }
    assertThat(err).hasToString("ridgeline: 16 texts\nridgeline: 18 texts\n");
  }

  @Test
  void whatTheUserShouldKnowStays() {
    try (Progress drawn = Progress.on(new PrintWriter(err));
        Progress notices = Progress.notices(new PrintWriter(err));
        Progress silent = Progress.silent()) {
      drawn.step("converting");
      drawn.note("q4_k becomes q8_0");
      notices.step("loading");
      notices.note("another");
      silent.note("nothing");
    }
    assertThat(err)
        .hasToString(
            "\r\033[Kconverting\r\033[Kridgeline: q4_k becomes q8_0\nridgeline: another\n");
  }

  @Test
  void aTerminalIsDrawnOnAndLeftEmpty() {
    try (Progress progress = Progress.on(new PrintWriter(err))) {
      progress.step("converting");
    }
    assertThat(err).hasToString("\r\033[Kconverting\r\033[K");
  }
}
