package dev.ridgeline.cli.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class LastMatchTest {
  /** Over a text without a c it tries every way to cut the zeros into eight. */
  private static final Pattern ENDLESS = Pattern.compile("(0*0*0*0*0*0*0*0*)c");

  private static final String ZEROS = "0".repeat(300);

  private static LastMatch of(String pattern) {
    return new LastMatch(Pattern.compile(pattern), () -> false, 30);
  }

  @Test
  void theLastIsTakenAndNothingIsNull() throws Stopped {
    assertThat(of("rate: ([0-9]+)").in("rate: 1\nrate: 22\nend")).isEqualTo("22");
    assertThat(of("rate: ([0-9]+)").in("rate 1")).isNull();
  }

  @Test
  void aPatternThatTakesForEverIsGivenUp() {
    assertThatThrownBy(() -> new LastMatch(ENDLESS, () -> false, 0.02).in(ZEROS))
        .isInstanceOf(Problem.class)
        .hasMessage("--metric (0*0*0*0*0*0*0*0*)c: takes more than 0 s over 300 B of output");
  }

  @Test
  void whoStopsASessionStopsItsPattern() {
    assertThatThrownBy(() -> new LastMatch(ENDLESS, () -> true, 30).in(ZEROS))
        .isInstanceOf(Stopped.class);
  }

  @Test
  void aPatternThatNeedsTooMuchOfTheStackIsRefused() {
    assertThatThrownBy(() -> of("((?:a|b)+)").in("ab".repeat(1 << 22)))
        .isInstanceOf(Problem.class)
        .hasMessage("--metric ((?:a|b)+): repeats a group too often over 8.4 MB of output");
  }
}
