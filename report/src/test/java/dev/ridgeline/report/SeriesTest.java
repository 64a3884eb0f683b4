package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How something changes along an axis, in every format for people. */
class SeriesTest {
  private static final Series SERIES =
      new Series(
          "position",
          "ms/token",
          List.of("0–31", "32–63"),
          List.of(
              new Series.Part("attention", List.of(1.0, 3.0)),
              new Series.Part("the rest", List.of(2.0, 3.0))),
          "Attention grows.");

  private static Report report() {
    Report plain = Made.profile().scope(-1, "main", 1, 200, 0).report();
    return new Report(
        plain.headline(),
        plain.system(),
        plain.workload(),
        plain.profile(),
        plain.tree(),
        plain.findings(),
        List.of(SERIES),
        plain.bounds());
  }

  @Test
  void barsOnATerminalHaveAShadeForEachPart() {
    String drawn = Console.draw(report(), new Console.Style(100, false, true), 5, List.of());
    assertThat(drawn)
        .contains("  position  ms/token  attention  the rest\n")
        .contains("  0–31          3.00       1.00      2.00  █████▒▒▒▒▒▒▒▒▒▒\n")
        .contains("  32–63         6.00       3.00      3.00  " + "█".repeat(15) + "▒".repeat(15))
        .contains("Attention grows.");
  }

  @Test
  void aPipeGetsTheNumbersAndNoLineIsTooLong() {
    for (int width : new int[] {60, 80, 120}) {
      String drawn = Console.draw(report(), Console.Style.plain(width), 5, List.of());
      assertThat(drawn).contains("32–63").doesNotContain("▒");
      assertThat(drawn.lines()).allMatch(line -> Text.width(line) <= width);
    }
  }

  @Test
  void markdownHasATable() {
    assertThat(Markdown.draw(report(), 5, 5))
        .contains("## Position\n", "| 32–63 | 6.00 | 3.00 | 3.00 |", "Attention grows.");
  }

  @Test
  void thePageHasTheData() throws IOException {
    StringWriter page = new StringWriter();
    Html.write(report(), page);
    assertThat(page.toString())
        .contains("\"series\":[{\"name\":\"position\",\"unit\":\"ms/token\"")
        .contains("\"parts\":[{\"name\":\"attention\",\"values\":[1.0,3.0]}");
  }

  @Test
  void pointsWithoutValuesAreRefused() {
    assertThatThrownBy(
            () ->
                new Series(
                    "x", "ms", List.of("a", "b"), List.of(new Series.Part("p", List.of(1.0))), ""))
        .hasMessage("x: 2 points, but 1 values of p");
    assertThatThrownBy(() -> new Series.Part("p", List.of(Double.NaN))).hasMessage("p has NaN");
  }
}
