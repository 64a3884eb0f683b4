package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.SampleRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What somebody is told who runs the engine and does not change its code. */
class ChoicesTest {
  private static final long MB = 1_000_000;
  private static final List<String> EMBED =
      List.of(
          "ridgeline", "profile", "embed", "--model=all:f16", "--workers", "1", "--level", "time");

  /** Products that take eight times as long as they must. */
  private static Made products() {
    return Made.profile().working(-1, "op", 10, 800, MB, 10_000 * MB);
  }

  private static Finding only(String rule, Report report) {
    List<Finding> found =
        report.findings().stream().filter(finding -> finding.rule().equals(rule)).toList();
    assertThat(found).as(rule).hasSize(1);
    return found.getFirst();
  }

  private static List<String> rules(Report report, Severity severity) {
    return report.findings().stream()
        .filter(finding -> finding.severity() == severity)
        .map(Finding::rule)
        .toList();
  }

  @Test
  void whatOnlyTheCodeCanChangeIsNotTheFirstScreens() {
    Report report = report(EMBED, Map.of("workers", "2"), products());
    assertThat(rules(report, Severity.CODE)).contains("bottleneck");
    assertThat(rules(report, Severity.OPPORTUNITY)).doesNotContain("bottleneck");
    Console.Style style = Console.Style.plain(100);
    Console.Around nowhere = new Console.Around(List.of(), List.of());
    assertThat(FirstScreen.draw(report, style, nowhere))
        .contains("Next  no option is known to win more")
        .doesNotContain("look for scalar");
    assertThat(Console.draw(report, style, 15, List.of()))
        .contains("  Code    1  ", "no ceiling: look for scalar");
  }

  @Test
  void aProgramOfTheReadersOwnIsTheirsToChange() {
    List<String> java = List.of("java", "-jar", "app.jar");
    Report report = report(java, Map.of("workers", "1", "tiles", "defaults"), products());
    assertThat(rules(report, Severity.OPPORTUNITY)).contains("bottleneck");
    assertThat(report.findings())
        .extracting(Finding::rule)
        .doesNotContain("unused-cores", "untuned", "wide-numbers");
  }

  @Test
  void coresThatDidNotWorkAreNamedWithTheOption() {
    Finding finding = only("unused-cores", report(EMBED, Map.of("workers", "1"), products()));
    assertThat(finding.what()).isEqualTo("1 of 2 cores worked");
    assertThat(finding.win()).isEqualTo("up to 2.00 ×");
    assertThat(finding.command())
        .isEqualTo("ridgeline ab --a '--workers 1' --b '--workers 2' -- embed --model=all:f16");
    Report all = report(EMBED, Map.of("workers", "2"), products());
    assertThat(all.findings()).extracting(Finding::rule).doesNotContain("unused-cores");
  }

  @Test
  void tilesThatNobodyTriedAreAReasonToTune() {
    Finding finding = only("untuned", report(EMBED, Map.of("tiles", "defaults"), products()));
    assertThat(finding.severity()).isEqualTo(Severity.OPPORTUNITY);
    assertThat(finding.what())
        .isEqualTo(
            "scopes that compute reach 10 % of what this machine allows, with the default tiles");
    assertThat(finding.win()).isEqualTo("a part of ~717 ms (89.6 % of thread time)");
    assertThat(finding.command()).isEqualTo("ridgeline tune -m all:f16");
    Report tuned = report(EMBED, Map.of("tiles", "tuned 2026-11-16 (1 choice)"), products());
    assertThat(tuned.findings()).extracting(Finding::rule).doesNotContain("untuned");
    Made near = Made.profile().working(-1, "op", 10, 800, MB, 95_000 * MB);
    assertThat(report(EMBED, Map.of("tiles", "defaults"), near).findings())
        .extracting(Finding::rule)
        .doesNotContain("untuned");
  }

  @Test
  void bytesThatCouldBeHalfAsManyAreNamedWithTheType() {
    Finding finding = only("wide-numbers", report(EMBED, Map.of(), RooflineReportTest.model()));
    assertThat(finding.what()).endsWith("of the thread time waits for bytes of f16 from DRAM");
    assertThat(finding.command())
        .isEqualTo("ridgeline ab --a '-m all:f16' --b '-m all:q8_0' -- embed --workers 1");
    assertThat(report(EMBED, Map.of(), products()).findings())
        .extracting(Finding::rule)
        .doesNotContain("wide-numbers");
  }

  @Test
  void idleThreadsAreAReasonToLeaveAStrategyOrToTryALargerBatch() {
    Made idle =
        Made.profile()
            .region(-1, "region", 100, 1.0)
            .worker("worker-1", false, 60)
            .worker("worker-2", false, 60);
    List<String> fine = List.of("ridgeline", "embed", "--strategy", "fine");
    assertThat(only("strategy", report(fine, Map.of(), idle)).command())
        .isEqualTo("ridgeline ab --a '--strategy fine' --b '--strategy auto' -- embed");
    Finding batch = only("small-batch", report(EMBED, Map.of("batch", "64"), idle));
    assertThat(batch.advice()).isEqualTo("give threads more at once: try --batch 128");
    assertThat(batch.command())
        .isEqualTo("ridgeline ab --b '--batch 128' -- embed --model=all:f16 --workers 1");
  }

  private static Report report(List<String> command, Map<String, String> plan, Made made) {
    Run any = SampleRuns.random(1);
    Machine was = any.machine();
    Machine machine =
        new Machine("", "", 2, was.memoryBytes(), Machine.Limits.NONE, was.os(), was.jvm());
    List<Run.Option> options =
        List.of(
            new Run.Option("--model", "all:f16", true, true),
            new Run.Option("--strategy", "fine", command.contains("--strategy"), true));
    Run run =
        new Run(
            "embed",
            any.title(),
            any.started(),
            command,
            options,
            machine,
            "",
            Map.of(),
            plan,
            Map.of(),
            "",
            List.of(),
            List.of(),
            0,
            Machines.ZEN_4);
    return RunReport.of(run, made.build());
  }
}
