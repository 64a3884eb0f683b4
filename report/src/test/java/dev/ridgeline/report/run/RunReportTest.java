package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.Report.Fact;
import dev.ridgeline.report.Report.Figure;
import dev.ridgeline.report.SampleProfiles;
import dev.ridgeline.report.Top;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Metric.Better;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  @TempDir Path home;

  @Test
  void theHeadlineIsTheRunsAndItsFiguresAreMedians() {
    Run run =
        run(
            Metric.of("throughput", "texts/s", Better.HIGHER, 470, 471.4, 480),
            Metric.of("peak", "MB", Better.LOWER, 1234));
    Report report = RunReport.of(run, SampleProfiles.random(1, 20, 1, Level.TIME));
    assertThat(report.headline().title()).isEqualTo(run.title());
    assertThat(report.headline().subtitle()).isEqualTo(run.machine().line());
    assertThat(report.headline().figures())
        .containsExactly(
            new Figure("471 texts/s ±2 %", "throughput, median of 3", "the JIT compiled"),
            new Figure("1,234 MB", "peak"));
  }

  @Test
  void whatWasRunAndWhereIsTold() {
    Report report =
        RunReport.of(
            run(Metric.of("x", "", Better.NEITHER, 1)), SampleProfiles.random(1, 9, 1, Level.TIME));
    assertThat(report.system())
        .contains(new Fact("processor", "AMD EPYC (Zen 4)"), new Fact("JIT and GC", "C2, G1"));
    assertThat(report.workload())
        .contains(
            new Fact("size", "1024"),
            new Fact("ran kernel", "vector"),
            new Fact("x", "1"),
            new Fact("options", "--threads 2, --tile 8"))
        .noneMatch(fact -> fact.value().isEmpty());
  }

  private static List<Finding> findings(Map<String, String> conditions) {
    Run run = run(Metric.of("x", "", Better.NEITHER, 1));
    Run under =
        new Run(
            run.name(),
            run.title(),
            run.started(),
            run.command(),
            run.options(),
            run.machine(),
            run.revision(),
            run.workload(),
            run.plan(),
            conditions,
            run.outputDigest(),
            run.metrics(),
            run.series(),
            run.units(),
            run.ceilings());
    return RunReport.of(under, SampleProfiles.random(1, 9, 1, Level.TIME)).findings();
  }

  @Test
  void aSlowPathIsTheFirstThingToMend() {
    Map<String, String> slow =
        Map.of(Run.SLOW_PATH, "in f32", Run.WAY_OUT, "take q8_0", Run.WAY_OUT_WINS, "up to 4.0 ×");
    List<Finding> findings = findings(slow);
    assertThat(findings)
        .filteredOn(finding -> finding.severity() == Finding.Severity.OPPORTUNITY)
        .first()
        .isEqualTo(
            new Finding(
                "slow-path",
                Finding.Severity.OPPORTUNITY,
                "in f32",
                "take q8_0",
                "up to 4.0 ×",
                ""));
    assertThat(findings).isSortedAccordingTo(Comparator.comparing(Finding::severity));
  }

  @Test
  void workThatNeverBecameStableIsDoubtful() {
    assertThat(findings(Map.of(Run.COLD, "3 of 4 kernels were not stable yet")))
        .filteredOn(finding -> finding.severity() == Finding.Severity.DOUBTFUL)
        .extracting(Finding::what)
        .contains("3 of 4 kernels were not stable yet");
  }

  @Test
  void anOptionThatNothingReadIsUnsound() {
    Report report =
        RunReport.of(
            run(Metric.of("x", "", Better.NEITHER, 1)), SampleProfiles.random(1, 9, 1, Level.TIME));
    assertThat(report.findings().getFirst())
        .isEqualTo(
            new Finding(
                "unread-option",
                Finding.Severity.UNSOUND,
                "--tile 8 was given, but nothing read it",
                "leave it out: it did not change this run",
                "",
                ""));
    assertThat(report.findings()).filteredOn(f -> f.rule().equals("unread-option")).hasSize(1);
  }

  @Test
  void aRealSessionIsDrawnAgainFromItsDirectoryAlone() {
    for (Level level : Level.values()) {
      Profile profile = session(level);
      Run run = run(Metric.of("x", "ms", Better.LOWER, 1, 2, 3));
      RunDirectory directory;
      try (RunDraft draft = Runs.of(home, null, null).begin("test", Instant.EPOCH)) {
        draft.write(run);
        draft.write(profile);
        directory = draft.commit();
      }
      assertThat(directory.profile()).isEqualTo(profile);
      Report now = RunReport.of(run, profile);
      Report later = RunReport.of(directory.run(), directory.profile());
      Console.Style style = Console.Style.plain(120);
      assertThat(Console.draw(later, style, 20, List.of()))
          .isEqualTo(Console.draw(now, style, 20, List.of()))
          .doesNotContain("NaN");
      assertThat(Markdown.draw(later, 20, 8)).isEqualTo(Markdown.draw(now, 20, 8));
      assertThat(Top.draw(later)).isEqualTo(Top.draw(now));
    }
  }

  private static Profile session(Level level) {
    Scope outer = Scope.of("outer");
    Scope inner = Scope.of("inner");
    Profiler.start(Options.of(level).withoutCalibration());
    try (var pool = Executors.newFixedThreadPool(2);
        var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        try (var frame = Profiler.scope(outer)) {
          Executor executor = Profiler.executor(i % 2 == 0 ? pool : virtual);
          CompletableFuture<?>[] tasks = new CompletableFuture<?>[4];
          for (int t = 0; t < tasks.length; t++) {
            tasks[t] =
                CompletableFuture.runAsync(
                    () -> {
                      try (var deep = Profiler.scope(inner)) {
                        deep.work(64, 128);
                      }
                    },
                    executor);
          }
          CompletableFuture.allOf(tasks).join();
          frame.work(1, 1);
        }
      }
    } finally {
      Profiler.snapshot();
    }
    return Profiler.stop();
  }

  private static Run run(Metric... metrics) {
    Run sample = SampleRuns.random(1);
    return new Run(
        sample.name(),
        sample.title(),
        sample.started(),
        sample.command(),
        List.of(
            new Run.Option("--threads", "2", true, true),
            new Run.Option("--tile", "8", true, false),
            new Run.Option("--top", "30", false, false)),
        sample.machine(),
        "",
        Map.of("size", "1024"),
        Map.of("kernel", "vector"),
        Map.of(),
        "",
        List.of(metrics),
        List.of(),
        0,
        Ceilings.NONE);
  }
}
