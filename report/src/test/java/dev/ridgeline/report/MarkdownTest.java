package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class MarkdownTest {
  @Test
  void theWholeReportIsThere() {
    Report plain =
        Made.profile()
            .scope(-1, "main", 1, 200, 0)
            .allocating(0, "forward", 10, 100, 20_000_000)
            .region(0, "region", 100, 1.25)
            .worker("worker-1", false, 90)
            .report();
    Report report =
        new Report(
            plain.headline(),
            List.of(new Report.Fact("cores", "2")),
            List.of(new Report.Fact("model", "a|b")),
            plain.profile(),
            plain.tree(),
            plain.findings());
    String markdown = Markdown.draw(report, 20, 8);
    assertThat(markdown)
        .startsWith("# title\n\nsubtitle\n\n- **471 texts/s** median\n")
        .contains(
            "## Hot paths by self time",
            "## Top allocators",
            "## Most called",
            "## Parallel regions",
            "## Call tree",
            "## Findings",
            "## Workload",
            "## System",
            "| main › forward | 100.0 |",
            "| cores | 2 |",
            "| model | a\\|b |",
            "- **allocation-in-hot-scope** (opportunity): main › forward allocates 2.0 MB a call");
  }

  @Test
  void everyRowOfATableHasAsManyCellsAsItsHead() {
    for (long seed = 0; seed < 20; seed++) {
      Level level = Level.values()[1 + (int) (seed % 3)];
      Profile profile = SampleProfiles.random(seed, 150, 4, level);
      int cells = 0;
      for (String line : Markdown.draw(report(profile), 40, 6).split("\n")) {
        if (!line.startsWith("|")) cells = 0;
        if (!line.startsWith("|")) continue;
        int found = line.replace("\\|", "").replaceAll("[^|]", "").length();
        if (cells == 0) cells = found;
        assertThat(found).as("seed %d: %s", seed, line).isEqualTo(cells);
      }
    }
  }

  @Test
  void namesCannotBecomeMarkup() {
    assertThat(Markdown.escape("a|b *c* `d` <e> [f](g) \\ h_i\nj"))
        .isEqualTo("a\\|b \\*c\\* \\`d\\` &lt;e> \\[f\\](g) \\\\ h\\_i j");
    Report report = Made.profile().scope(-1, "```\nx", 1, 10, 10).report();
    assertThat(Markdown.draw(report, 5, 5).split("```", -1)).hasSize(3);
  }

  @Test
  void theTreeEndsAtItsDepth() {
    Report report =
        Made.profile()
            .scope(-1, "one", 1, 30, 10)
            .scope(0, "two", 1, 20, 10)
            .scope(1, "three", 1, 10, 10)
            .report();
    assertThat(tree(Markdown.draw(report, 5, 2)))
        .containsExactly(
            "    total ms      self ms      calls      %  scope",
            "      30.000       10.000          1  100.0  one",
            "      20.000       10.000          1   66.7    two");
    assertThat(Markdown.draw(report, 5, 2)).contains("Small or deep ones left out: 1.");
    assertThat(tree(Markdown.draw(report, 5, 3))).hasSize(4);
  }

  @Test
  void aTreeOfDeepRecursionIsDrawn() {
    Made made = Made.profile();
    for (int i = 0; i < 20_000; i++) made.scope(i - 1, "fib", 1, 20_000 - i, 1);
    Report report = made.report();
    assertThat(tree(Markdown.draw(report, 5, 10))).hasSize(11);
    assertThat(Markdown.draw(report, 5, 10).lines()).allMatch(line -> line.length() < 400);
    assertThat(Top.draw(report).lines()).allMatch(line -> line.length() < 250);
    assertThat(Console.draw(report, Console.Style.plain(100), 50, List.of()))
        .containsPattern("fib \\(20,000 deep\\) +20,000\\.0 +100\\.0 +20,000 ");
  }

  @Test
  void anEmptyProfileIsSaidSo() {
    assertThat(Markdown.draw(Made.profile().report(), 5, 5)).contains("Nothing was recorded");
  }

  private static Report report(Profile profile) {
    var tree = profile.tree();
    return new Report(
        new Report.Headline("t", "", List.of()),
        List.of(),
        List.of(),
        profile,
        tree,
        Findings.of(profile, tree));
  }

  private static List<String> tree(String markdown) {
    return markdown
        .lines()
        .dropWhile(line -> !line.startsWith("```"))
        .skip(1)
        .takeWhile(line -> !line.startsWith("```"))
        .toList();
  }
}
