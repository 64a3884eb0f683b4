package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.profile.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();

  @Test
  void linesComeNoFasterThanAskedFor() {
    try (Progress often = Progress.lines(new PrintWriter(err), 0);
        Progress seldom = Progress.lines(new PrintWriter(err), Long.MAX_VALUE)) {
      often.show("16 texts");
      seldom.show("17 texts");
      often.show("18 texts");
    }
    assertThat(err).hasToString("ridgeline: 16 texts\nridgeline: 18 texts\n");
  }

  @Test
  void whatTheUserShouldKnowStays() {
    try (Progress drawn = Progress.on(new PrintWriter(err));
        Progress notices = Progress.notices(new PrintWriter(err));
        Progress silent = Progress.silent()) {
      drawn.show("converting");
      drawn.tell("q4_k becomes q8_0");
      notices.show("loading");
      notices.tell("another");
      silent.tell("nothing");
    }
    assertThat(err)
        .hasToString(
            "\r\033[Kconverting\r\033[Kridgeline: q4_k becomes q8_0\nridgeline: another\n");
  }

  @Test
  void aTerminalIsDrawnOnAndLeftEmpty() {
    try (Progress progress = Progress.on(new PrintWriter(err))) {
      progress.show("converting");
    }
    assertThat(err).hasToString("\r\033[Kconverting\r\033[K");
  }
}
