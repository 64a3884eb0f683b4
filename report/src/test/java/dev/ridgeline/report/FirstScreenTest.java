package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first screen fits on a screen, adds up, and says where the rest is. */
class FirstScreenTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^  (\\S.*?) {2,}(-?[\\d,]+\\.\\d) {2,}(-?\\d+\\.\\d)\\b");

  private static final Console.Around AROUND =
      new Console.Around(
          List.of("4 % faster than the last run like it"),
          List.of("ridgeline report last --full", "runs/20261119T100000Z-embed/report.html"));

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private static Report report(Profile profile) {
    return new Report(
        new Report.Headline(
            "all-minilm-l6-v2:q8_0 · 256 texts · coarse, 2 workers",
            "EPYC, 2 cores · JDK 25",
            List.of(
                new Report.Figure("409 texts/s", "embedded"),
                new Report.Figure("68 %", "of the 604 texts/s that this machine allows"),
                new Report.Figure("2.4 ms", "single-text latency, p50", "noisy: steal 8 %"))),
        List.of(),
        List.of(
            new Report.Fact("ran kernels", "2 workers · assembled, 16 lanes"),
            new Report.Fact("ran strategy", "coarse")),
        profile,
        profile.tree(),
        Findings.of(profile, profile.tree()));
  }

  @Test
  void itFitsWhateverWasRecorded() {
    for (long seed = 0; seed < 60; seed++) {
      Level level = Level.values()[(int) (seed % 4)];
      Profile profile =
          SampleProfiles.random(seed, (int) (4 + seed * 11), (int) (1 + seed % 5), level);
      if (Hotspots.of(profile).leads()) continue;
      String screen = FirstScreen.draw(report(profile), Console.Style.terminal(160), AROUND);
      List<String> lines = screen.lines().map(FirstScreenTest::withoutColour).toList();
      assertThat(lines)
          .as("seed %d:%n%s", seed, screen)
          .hasSizeLessThanOrEqualTo(FirstScreen.LINES);
      for (String line : lines) {
        if (line.contains("ridgeline ") || line.contains("report.html")) continue;
        assertThat(Text.width(line))
            .as("seed %d: %s", seed, line)
            .isLessThanOrEqualTo(FirstScreen.COLUMNS);
      }
      assertThat(screen).contains("ridgeline report last --full", "409 texts/s", "Sound");
    }
  }

  @Test
  void columnsWithATotalSumToIt() {
    for (long seed = 0; seed < 40; seed++) {
      Profile profile = SampleProfiles.random(seed, 200, 2, Level.TIME);
      if (Hotspots.of(profile).leads()) continue;
      String screen = FirstScreen.draw(report(profile), Console.Style.plain(100), AROUND);
      List<MatchResult> rows = ROW.matcher(screen).results().toList();
      assertThat(rows.getLast().group(1)).isEqualTo("total");
      for (int column : new int[] {2, 3}) {
        double sum = 0;
        for (MatchResult row : rows.subList(0, rows.size() - 1)) sum += number(row, column);
        assertThat(sum)
            .as("seed %d%n%s", seed, screen)
            .isCloseTo(number(rows.getLast(), column), within(0.05 * rows.size() + 0.01));
      }
    }
  }

  @Test
  void aNarrowTerminalIsRespected() {
    Profile profile = SampleProfiles.random(3, 200, 2, Level.TIME);
    String screen = FirstScreen.draw(report(profile), Console.Style.plain(70), AROUND);
    for (String line : screen.lines().toList()) {
      if (line.contains("ridgeline ") || line.contains("report.html")) continue;
      assertThat(Text.width(line)).as(line).isLessThanOrEqualTo(70);
    }
  }

  @Test
  void namesAreSaidOnceWhereAllRowsAreInsideOfThem() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    try (var _ = Profiler.scope(Scope.of("embed"));
        var _ = Profiler.scope(Scope.of("texts"))) {
      for (String name : List.of("qkv", "gelu")) {
        try (var _ = Profiler.scope(Scope.of(name))) {
          long end = System.nanoTime() + 3_000_000;
          while (System.nanoTime() < end) Thread.onSpinWait();
        }
      }
    }
    Profile profile = Profiler.stop();
    String screen = FirstScreen.draw(report(profile), Console.Style.plain(100), AROUND);
    assertThat(screen)
        .containsPattern("\n  in embed › texts\n  where the time goes ")
        .containsPattern("\n  qkv  ")
        .containsPattern("\n  gelu  ");
  }

  private static String withoutColour(String line) {
    return line.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  private static double number(MatchResult row, int group) {
    return Double.parseDouble(row.group(group).replace(",", "").toLowerCase(Locale.ROOT));
  }
}
