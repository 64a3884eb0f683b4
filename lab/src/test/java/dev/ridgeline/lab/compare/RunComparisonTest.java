package dev.ridgeline.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.compare.RunComparison.Side;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunComparisonTest {
  private static final Scope WORK = Scope.of("work");
  private static final Scope INNER = Scope.of("inner <b>");

  @Test
  void twoSingleRunsAreNeverFasterOrSlower() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      Run base = SampleRun.of("embed", 1 + random.nextInt(1000), 1 + random.nextInt(1000));
      Run current =
          SampleRun.changed(
              SampleRun.of("embed", 1 + random.nextInt(1000)), "rev" + i, Map.of("workers", "1"));
      double drift = random.nextBoolean() ? Double.NaN : random.nextDouble();
      RunComparison comparison = compare(base, current, drift);
      assertThat(comparison.verdict()).as("seed 7, %d", i).isEqualTo(Verdict.INCONCLUSIVE);
    }
  }

  @Test
  void anOptionThatCameToTheSamePlanHadNoEffect() {
    Run base = SampleRun.of("embed", 100);
    Run current =
        SampleRun.with(SampleRun.of("embed", 300), new Run.Option("--x", "1", true, false));
    RunComparison comparison = compare(base, current, Double.NaN);
    assertThat(comparison.verdict()).isEqualTo(Verdict.NO_EFFECT);
    assertThat(comparison.why()).contains("--x");
    assertThat(text(comparison)).containsPattern("100 +300 .*\\+200\\.0 %");
  }

  @Test
  void anotherPlanOrRevisionIsNeverWithoutEffect() {
    Run base = SampleRun.of("embed", 100);
    Run option = SampleRun.with(base, new Run.Option("--workers", "1", true, true));
    Run plan = SampleRun.changed(option, base.revision(), Map.of("workers", "1"));
    assertThat(compare(base, plan, Double.NaN).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    Run revision = SampleRun.changed(option, "other", base.plan());
    assertThat(compare(base, revision, Double.NaN).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    Run changes = SampleRun.changed(option, "0123+changes", base.plan());
    assertThat(compare(changes, changes, Double.NaN).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void repeatingADefaultHasNoEffectAndRepeatingARunShowsDrift() {
    Run base = SampleRun.of("embed", 100);
    Run current = SampleRun.with(base, new Run.Option("--workers", "2", true, true));
    assertThat(compare(base, current, 0.05).verdict()).isEqualTo(Verdict.NO_EFFECT);
    assertThat(compare(base, base, 0.05).why()).contains("drift");
  }

  @Test
  void aMetricIsWorseOrBetterOnlyBeyondTheDrift() {
    RunComparison slower =
        compare(SampleRun.of("embed", 100), SampleRun.of("embed", 90), Double.NaN);
    assertThat(slower.metrics(Direction.WORSE)).hasSize(1);
    RunComparison drifted = compare(SampleRun.of("embed", 100), SampleRun.of("embed", 90), 0.2);
    assertThat(drifted.metrics(Direction.ALIKE)).hasSize(1);
  }

  @Test
  void callsAndBytesAreExactAndAnyGrowthFailsTheGate() {
    Profile once = profile(1, 1000);
    Profile twice = profile(2, 2000);
    RunComparison grown =
        RunComparison.of(
            new Side("a", SampleRun.of("embed", 1), once),
            new Side("b", SampleRun.of("embed", 1), twice),
            Double.NaN);
    assertThat(grown.gates())
        .extracting(Gate::name, Gate::failed)
        .contains(tuple("calls", true), tuple("bytes touched", true), tuple("output", false));
    assertThat(grown.gatesHold()).isFalse();
    RunComparison same =
        RunComparison.of(
            new Side("a", SampleRun.of("embed", 1), once),
            new Side("b", SampleRun.of("embed", 1), profile(1, 1000)),
            Double.NaN);
    assertThat(same.gatesHold()).isTrue();
  }

  @Test
  void whatAllOfTheWorkTookIsToldWhereBothDidAsMuch() {
    Profile one = profile(1, 1000);
    Profile other = profile(2, 2000);
    RunComparison comparison = comparison(one, other);
    assertThat(comparison.system())
        .extracting(Change::name, Change::unit)
        .contains(tuple("total time", "s"), tuple("allocated in scopes", "MB"));
    Change time = comparison.system().getFirst();
    assertThat(time.base()).isEqualTo(one.wallNanos() / 1e9);
    assertThat(time.current()).isEqualTo(other.wallNanos() / 1e9);
    Run unknown = unmeasured();
    RunComparison shorter =
        RunComparison.of(
            new Side("a", SampleRun.of("embed", 1), one),
            new Side("b", unknown, other),
            Double.NaN);
    assertThat(shorter.system()).extracting(Change::name).doesNotContain("total time");
  }

  @Test
  void ofOtherWorkNothingIsConcludedAndNoGateIsClosed() {
    Run base = SampleRun.of("embed", 100);
    Run other = SampleRun.output(SampleRun.worked(base, "texts", "7"), "sha256:other");
    RunComparison comparison = compare(base, other, 0.01);
    assertThat(comparison.why()).contains("not do the same work: texts: ");
    assertThat(comparison.gates()).isEmpty();
    Run longer = SampleRun.output(SampleRun.worked(base, "iterations", "70"), "sha256:other");
    assertThat(compare(base, longer, 0.01).gatesHold()).isFalse();
  }

  @Test
  void anotherOutputIsSaidBeforeAnySpeed() {
    Run base = SampleRun.of("embed", 100);
    Run other = SampleRun.output(SampleRun.of("embed", 500), "sha256:other");
    RunComparison comparison = compare(base, other, Double.NaN);
    assertThat(comparison.gatesHold()).isFalse();
    assertThat(text(comparison)).startsWith("The outputs differ: ").contains("500");
    assertThat(markdown(comparison)).contains("**The outputs differ: ");
  }

  @Test
  void everyFormIsDrawnAndNamesCannotBreakIt() throws IOException {
    RunComparison comparison =
        RunComparison.of(
            new Side("a|b", SampleRun.of("embed", 100), profile(1, 1000)),
            new Side("<i>", SampleRun.of("embed", 120), profile(3, 1000)),
            0.03);
    assertThat(text(comparison)).contains("work › inner <b>");
    assertThat(markdown(comparison)).contains("inner &lt;b>").contains("a\\|b → &lt;i>");
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    HtmlPage.write(ComparisonDocument.of(comparison, 5), page);
    assertThat(page.toString(StandardCharsets.UTF_8))
        .contains("inner &lt;b&gt;")
        .contains("<svg")
        .doesNotContain("inner <b>")
        .doesNotContain("<i>");
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ComparisonJson.write(comparison, json);
    assertThat(json.toString(StandardCharsets.UTF_8))
        .startsWith("{\n  \"verdict\" : \"inconclusive\"");
  }

  @Test
  void waitingIsShownWhereItChangedMost() throws IOException {
    Profile runs = waiting(1_000_000, 900_000, 0);
    assertThat(text(runs, waiting(5_000_000, 900_000, 4_000_000)))
        .containsPattern("waiting, µs of a unit of work, by change.*\n  work +0 +15\\.6 +new");
    assertThat(text(runs, waiting(5_000_000, 900_000, 1_000_000))).doesNotContain("waiting, µs");
    assertThat(text(runs, runs)).doesNotContain("waiting, µs");
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ComparisonJson.write(comparison(runs, waiting(5_000_000, 900_000, 4_000_000)), json);
    assertThat(json.toString(StandardCharsets.UTF_8)).contains("\"waitingNanos\" : 15625");
  }

  private static String text(RunComparison comparison) {
    return String.join("\n", ConsoleText.lines(ComparisonDocument.of(comparison, 5)));
  }

  private static String markdown(RunComparison comparison) {
    return String.join("\n", MarkdownText.lines(ComparisonDocument.of(comparison, 5)));
  }

  private static String text(Profile base, Profile current) {
    return text(comparison(base, current));
  }

  private static RunComparison comparison(Profile base, Profile current) {
    return RunComparison.of(
        new Side("a", SampleRun.of("embed", 1), base),
        new Side("b", SampleRun.of("embed", 1), current),
        Double.NaN);
  }

  /** One call of each of two scopes, the first of which sleeps. */
  private static Profile waiting(long nanos, long otherNanos, long sleepNanos) {
    Profile like = profile(1, 0);
    Profile.Node work = node("work", nanos).with(new Profile.Waiting(0, 0, sleepNanos, 0, 0));
    Profile.Lane lane =
        new Profile.Lane("main", false, 1, List.of(work, node("more", otherNanos)), Trace.EMPTY);
    return new Profile(
        like.level(),
        like.started(),
        like.wallNanos(),
        List.of(lane),
        List.of(),
        List.of(),
        Profile.Calibration.NONE,
        like.system(),
        like.ledger(),
        like.slips(),
        like.samples(),
        like.pools(),
        new Profile.Waits(10, 1_000_000, 0, List.of()));
  }

  private static Profile.Node node(String name, long nanos) {
    return new Profile.Node(
        -1,
        name,
        Profile.Node.SCOPE,
        new Profile.Time(1, 0, nanos, nanos, nanos, nanos, Histogram.EMPTY),
        Profile.Allocation.NOT_RECORDED,
        Profile.Work.NONE,
        Profile.FanOut.ofTask(0));
  }

  @Test
  void runsWithoutAnythingInCommonAreInconclusive() {
    RunComparison comparison = compare(unmeasured(), SampleRun.of("embed", 1), Double.NaN);
    assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(text(comparison)).contains("no metric in common");
  }

  /** One that does not tell how much work it did. */
  private static Run unmeasured() {
    return new Run(
        "embed",
        "",
        SampleRun.of("embed", 1).started(),
        List.of(),
        List.of(),
        SampleRun.of("embed", 1).machine(),
        "",
        Map.of(),
        Map.of(),
        Map.of(),
        "",
        List.of(),
        List.of(),
        0,
        Ceilings.NONE);
  }

  private static RunComparison compare(Run base, Run current, double drift) {
    return RunComparison.of(new Side("a", base, null), new Side("b", current, null), drift);
  }

  private static Profile profile(int inner, long bytes) {
    Profiler.start(Options.of(Level.ALLOCATION));
    try (var all = Profiler.scope(WORK)) {
      all.work(bytes, 10);
      for (int i = 0; i < inner; i++) Profiler.scope(INNER).close();
    }
    return Profiler.stop();
  }
}
