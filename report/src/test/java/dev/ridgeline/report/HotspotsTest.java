package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.OfThread;
import dev.ridgeline.report.Hotspots.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a program without scopes is told of its samples. */
class HotspotsTest {
  private static final List<Location> LOCATIONS =
      List.of(
          at("com.acme.Main", "main"),
          at("com.acme.engine.Engine", "forward"),
          at("java.util.HashMap", "get"),
          at("com.acme.engine.math.Softmax$Row", "exp"),
          at("Script", "run"),
          at("java.lang.Thread", "run"),
          at("com.sun.management.internal.OperatingSystemImpl", "getProcessCpuTime"),
          at("com.sun.jna.Native", "load"));

  /** main; main › forward; … › get; … › exp; run; Thread.run. */
  private static final List<Call> CALLS =
      List.of(
          new Call(-1, 0),
          new Call(0, 1),
          new Call(1, 2),
          new Call(1, 3),
          new Call(-1, 4),
          new Call(-1, 5),
          new Call(5, 6),
          new Call(-1, 7));

  @Test
  void methodsPackagesAndThreadsHaveTheirParts() {
    Hotspots hotspots = Hotspots.of(profile(Samples.OUTSIDE));
    assertThat(hotspots.leads()).isTrue();
    assertThat(hotspots.methods(9))
        .containsExactly(
            new Row("Softmax$Row.exp", 0.4, 0.4),
            new Row("HashMap.get", 0.3, 0.3),
            new Row("Script.run", 0.2, 0.2),
            new Row("Main.main", 0.05, 0.75),
            new Row("Thread.run", 0.05, 0.05));
    assertThat(hotspots.packages(9))
        .containsExactly(
            new Row("com.acme.engine.math", 0.4, 0.4),
            new Row("com.acme.engine", 0.3, 0.7),
            new Row("(no package)", 0.2, 0.2),
            new Row("(JDK alone)", 0.05, 0.05),
            new Row("com.acme", 0.05, 0.75));
    assertThat(hotspots.threads(1)).containsExactly(new Row("worker", 0.6, 0));
  }

  @Test
  void whatIsHotIsProposedAsPatterns() {
    assertThat(Hotspots.of(profile(Samples.OUTSIDE)).patterns())
        .as("a package holds those below it")
        .containsExactly("com.acme.engine.**", "Script");
  }

  /** Scopes cannot be woven there, and the program did not write it. */
  @Test
  void packagesOfTheJdkAreNotTheProgramsByWhateverName() {
    Hotspots hotspots = Hotspots.of(profile(Samples.OUTSIDE, 0, 0, 0, 0, 0, 0, 70, 30));
    assertThat(hotspots.packages(9))
        .containsExactly(new Row("(JDK alone)", 0.7, 0.7), new Row("com.sun.jna", 0.3, 0.3));
    assertThat(hotspots.patterns()).containsExactly("com.sun.jna.**");
  }

  @Test
  void theyAreTheFirstTableAndTheFirstAdvice() {
    Profile profile = profile(Samples.OUTSIDE);
    String text = Console.draw(report(profile), Console.Style.plain(100), 15, List.of());
    assertThat(text)
        .contains("method, by CPU samples", "HashMap.get", "package, ", "thread", "worker")
        .contains("[unscoped-code]", "--scope 'Script'")
        .doesNotContain("Nothing was recorded");
    assertThat(Markdown.draw(report(profile), 15, 5))
        .contains("## Hot methods by samples", "## Packages", "## Threads")
        .doesNotContain("Nothing was recorded");
  }

  @Test
  void scopesThatHoldTheSamplesAreEnough() {
    Profile profile = profile(0);
    assertThat(Hotspots.of(profile).leads()).isFalse();
    assertThat(Console.draw(report(profile), Console.Style.plain(100), 15, List.of()))
        .doesNotContain("method, by", "unscoped-code");
  }

  private static Profile profile(int lane) {
    return profile(lane, 5, 0, 30, 40, 20, 5);
  }

  private static Profile profile(int lane, int... samples) {
    int node = lane < 0 ? -1 : 0;
    Made made = Made.profile();
    if (lane >= 0) made.scope(-1, "all", 1, 400, 400);
    List<Cpu> rows = new ArrayList<>();
    for (int i = 0; i < samples.length; i++) {
      if (samples[i] > 0) rows.add(new Cpu(lane, node, i, samples[i], samples[i] * 4_000_000L));
    }
    return made.build()
        .withSamples(
            new Samples(
                Samples.Source.CPU_TIME,
                Samples.Event.CPU,
                "JDK Flight Recorder",
                2_000_000,
                LOCATIONS,
                CALLS,
                rows,
                List.of(
                    new OfThread("main", 40, 160_000_000), new OfThread("worker", 60, 240_000_000)),
                List.of(),
                List.of(),
                List.of(),
                Samples.Quality.PERFECT));
  }

  private static Report report(Profile profile) {
    var tree = profile.tree();
    var headline = new Report.Headline("app", "", List.of());
    return new Report(headline, List.of(), List.of(), profile, tree, Findings.of(profile, tree));
  }

  private static Location at(String type, String method) {
    return new Location(type, method, 1, Kind.COMPILED);
  }
}
