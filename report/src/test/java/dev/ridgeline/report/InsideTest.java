package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What reports say of sampled code, and what its rules warn of. */
class InsideTest {
  private static final Location MAIN = new Location("app.Main", "main", 1, Kind.COMPILED);
  private static final Location ROWS = new Location("app.Softmax", "rows", 9, Kind.COMPILED);
  private static final Location SLOW = new Location("app.Softmax", "rows", 9, Kind.INTERPRETED);
  private static final Location EXP = new Location("java.lang.Math", "exp", 0, Kind.INLINED);
  private static final Location INSIDE_EXP =
      new Location("java.lang.StrictMath", "exp", 7, Kind.COMPILED);
  private static final List<Location> LOCATIONS = List.of(MAIN, ROWS, SLOW, EXP, INSIDE_EXP);

  // Stacks by the call they were sampled in.
  private static final int IN_ROWS = 1;
  private static final int IN_SLOW = 2;
  private static final int IN_EXP = 4;
  private static final List<Call> CALLS =
      List.of(new Call(-1, 0), new Call(0, 1), new Call(0, 2), new Call(1, 3), new Call(3, 4));

  @Test
  void codeOfTheJdkIsNamedByWhatTheProgramCalled() {
    assertThat(Inside.name(List.of(INSIDE_EXP, EXP, ROWS, MAIN))).isEqualTo("Math.exp");
    assertThat(Inside.name(List.of(ROWS, MAIN))).isEqualTo("Softmax.rows");
    assertThat(Inside.name(List.of(INSIDE_EXP, EXP))).isEqualTo("StrictMath.exp");
  }

  @Test
  void codeOutsideOfJavaIsNamedByItsFunctionAndLibrary() {
    Location zip = new Location("libzip.so", "longest_match", 0, Kind.LIBRARY);
    Location entry = new Location("libzip.so", "Java_Deflater_deflate", 0, Kind.LIBRARY);
    assertThat(Inside.name(List.of(zip, entry, EXP, MAIN))).isEqualTo("longest_match (libzip.so)");
    Location collects = new Location("libjvm.so", "G1CollectedHeap::allocate", 0, Kind.LIBRARY);
    Location called = new Location("libjvm.so", "OptoRuntime::new_array_C", 0, Kind.LIBRARY);
    assertThat(Inside.name(List.of(collects, called, ROWS, MAIN)))
        .isEqualTo("OptoRuntime::new_array_C (libjvm.so)");
    Location kernel = new Location("kernel", "clear_page", 0, Kind.KERNEL);
    assertThat(Inside.name(List.of(kernel, ROWS))).isEqualTo("clear_page (kernel)");
    assertThat(Inside.name(List.of(new Location("", "unknown", 0, Kind.LIBRARY))))
        .isEqualTo("unknown");
  }

  @Test
  void samplesByAnotherEventThanTimeSayWhichAndWhoTookThem() {
    List<Cpu> rows = List.of(new Cpu(0, 1, IN_ROWS, 60, 600_000), cpu(1, IN_SLOW, 40));
    Profile profile =
        made()
            .withSamples(
                samples(Samples.Event.CACHE_MISSES, rows.subList(0, 1), List.of(), List.of(), 0));
    assertThat(Console.draw(report(profile), Console.Style.plain(160), 10, List.of()))
        .contains(
            "by cache misses of its own code",
            "Sampled by async-profiler 4.5, perf events: 60 samples, one for each 10,000 cache"
                + " misses",
            "scopes found on the same clock");
    Profile interpreted =
        made().withSamples(samples(Samples.Event.CACHE_MISSES, rows, List.of(), List.of(), 0));
    assertThat(rules(interpreted)).as("no time follows").doesNotContain("interpreted-code");
  }

  @Test
  void aScopeSaysWhichMethodsItSpendsItsTimeIn() {
    Profile profile = profile(cpu(1, IN_EXP, 61), cpu(1, IN_ROWS, 35), cpu(1, IN_SLOW, 4));
    Report report = report(profile);
    String said = "61 % Math.exp · 39 % Softmax.rows · 4 % interpreted";
    assertThat(Inside.of(profile, report.tree()).get(report.tree().find("main", "softmax")))
        .extracting(Inside::sentence)
        .isEqualTo(said);
    String console = Console.draw(report, Console.Style.plain(120), 10, List.of());
    assertThat(console).contains("main › softmax", said, "100 CPU samples, one for each 4.00 ms");
    assertThat(console.lines()).allMatch(line -> Text.width(line) <= 120);
    assertThat(Markdown.draw(report, 10, 3)).contains("| " + said + " | 100 |");
    assertThat(html(report)).contains("\"inside: " + said + "\"");
  }

  @Test
  void aFewSamplesSayNothing() {
    Report report = report(profile(cpu(1, IN_EXP, Inside.ENOUGH_SAMPLES - 1)));
    assertThat(Console.draw(report, Console.Style.plain(120), 10, List.of()))
        .doesNotContain("Math.exp");
    assertThat(html(report)).contains("\"inside\":[]");
  }

  @Test
  void innerScopesAreLeftAside() {
    Profile profile = profile(cpu(0, IN_ROWS, 50), cpu(1, IN_EXP, 50));
    var tree = profile.tree();
    var inside = Inside.of(profile, tree);
    assertThat(inside.get(tree.find("main")).sentence()).isEqualTo("100 % Softmax.rows");
  }

  @Test
  void interpretedCodeInAHotScopeIsWarnedOf() {
    assertThat(rules(profile(cpu(1, IN_ROWS, 90), cpu(1, IN_SLOW, 10))))
        .contains("interpreted-code");
    assertThat(rules(profile(cpu(1, IN_ROWS, 91), cpu(1, IN_SLOW, 9))))
        .doesNotContain("interpreted-code");
    assertThat(rules(profile(cpu(1, IN_SLOW, 19))))
        .as("too few to say")
        .doesNotContain("interpreted-code");
  }

  @Test
  void codeThatIsGivenUpAgainAndAgainIsWarnedOf() {
    Samples once = samples(List.of(), List.of(), List.of(deoptimized(19)), 0);
    Samples often = samples(List.of(), List.of(), List.of(deoptimized(20)), 0);
    assertThat(rules(made().withSamples(once))).doesNotContain("deoptimization-storm");
    Finding finding = finding("deoptimization-storm", made().withSamples(often));
    assertThat(finding.what())
        .isEqualTo(
            "main › softmax was deoptimised 20 times, most by class_check in Softmax.rows:9");
  }

  @Test
  void boxedNumbersAndVectorsAreWarnedOf() {
    for (String box : List.of("java.lang.Float", "jdk.incubator.vector.Float512Vector")) {
      Allocated boxed = allocated(box, 1_000_000);
      Profile profile = uncounted(boxed, allocated("byte[]", 9_000_000));
      assertThat(finding("boxing", profile).what())
          .startsWith("main › softmax boxes about 1.0 MB (10 % of what it allocates)");
      assertThat(rules(uncounted(boxed, allocated("byte[]", 9_100_000)))).doesNotContain("boxing");
      assertThat(rules(uncounted(allocated(box, 999_999)))).doesNotContain("boxing");
    }
  }

  @Test
  void boxesAreAShareOfTheBytesThatWereCounted() {
    Samples sampled =
        uncounted(allocated("java.lang.Long", 471_000_000), allocated("byte[]", 4_757_576))
            .samples();
    Profile counted =
        Made.profile()
            .scope(-1, "main", 1, 1000, 0)
            .allocating(0, "softmax", 10, 300, 402_000_000)
            .build()
            .withSamples(sampled);
    assertThat(finding("boxing", counted).what())
        .startsWith("main › softmax boxes about 398 MB (99 % of what it allocates)");
  }

  @Test
  void allocationInAKernelIsWarnedOfWhereItIsNotCounted() {
    Profile profile = allocations(allocated("float[]", 10_000_000));
    assertThat(rules(profile)).doesNotContain("allocation-in-kernel");
    Profile uncounted = made(Level.TIME).withSamples(profile.samples());
    assertThat(finding("allocation-in-kernel", uncounted).what())
        .isEqualTo(
            "main › softmax computes and allocates about 10.0 MB, most of it float[] in"
                + " Softmax.rows");
    Profile little = allocations(allocated("float[]", 9_999_999));
    assertThat(rules(made(Level.TIME).withSamples(little.samples())))
        .doesNotContain("allocation-in-kernel");
  }

  @Test
  void lostSamplesAreSaid() {
    List<Cpu> rows = List.of(cpu(1, IN_ROWS, 90));
    assertThat(rules(made().withSamples(samples(rows, List.of(), List.of(), 10))))
        .contains("lost-samples");
    assertThat(rules(made().withSamples(samples(rows, List.of(), List.of(), 9))))
        .doesNotContain("lost-samples");
  }

  @Test
  void samplesWhoseScopeWasForgottenAreSaid() {
    Cpu forgotten = new Cpu(Samples.UNATTRIBUTED, -1, IN_ROWS, 5, 20_000_000);
    assertThat(rules(profile(cpu(1, IN_ROWS, 95), forgotten))).contains("unattributed-samples");
    assertThat(rules(profile(cpu(1, IN_ROWS, 96), forgotten)))
        .doesNotContain("unattributed-samples");
  }

  @Test
  void samplesOfVirtualThreadsThatFoundNoScopeSayWhy() {
    Location enter = new Location("jdk.internal.vm.Continuation", "enter", 9, Kind.COMPILED);
    Cpu carried = new Cpu(Samples.UNATTRIBUTED, -1, 0, 5, 20_000_000);
    for (Samples.Source source : List.of(Samples.Source.ASYNC, Samples.Source.CPU_TIME)) {
      Samples samples =
          new Samples(
              source,
              Samples.Event.CPU,
              "engine",
              2_000_000,
              List.of(enter),
              List.of(new Samples.Call(-1, 0)),
              List.of(carried),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              Samples.Quality.PERFECT);
      assertThat(finding("unattributed-samples", made().withSamples(samples)).what())
          .isEqualTo(
              source == Samples.Source.ASYNC
                  ? "100 % of the CPU samples found no scope: they were taken in virtual threads"
                  : "100 % of the CPU samples came after their scopes were forgotten");
    }
  }

  @Test
  void samplesThatWereAskedForAndDidNotComeAreSaid() {
    Samples none = samples(Samples.Event.PAGE_FAULTS, List.of(), List.of(), List.of(), 0);
    assertThat(finding("no-samples", made().withSamples(none)).what())
        .isEqualTo("no sample came: no thread had 2,000,000 page faults");
    assertThat(finding("no-samples", profile()).what())
        .isEqualTo("no CPU sample came: no thread had 2.00 ms of CPU time");
    assertThat(rules(profile(cpu(1, IN_ROWS, 1)))).doesNotContain("no-samples");
    assertThat(rules(made())).as("not asked for").doesNotContain("no-samples");
    assertThat(rules(made().withSamples(samples(List.of(), List.of(), List.of(), 5))))
        .as("they came, and the JVM lost them")
        .contains("lost-samples")
        .doesNotContain("no-samples");
  }

  private static Profile made() {
    return made(Level.ALLOCATION);
  }

  /** A hot scope among many small ones. */
  private static Profile made(Level level) {
    Made made = Made.profile().level(level).scope(-1, "main", 1, 1000, 0);
    made.scope(0, "softmax", 10, 300, 300);
    for (int i = 0; i < 35; i++) made.scope(0, "part " + i, 10, 20, 20);
    return made.build();
  }

  private static Profile profile(Cpu... rows) {
    return made().withSamples(samples(List.of(rows), List.of(), List.of(), 0));
  }

  private static Profile uncounted(Allocated... rows) {
    return made(Level.TIME).withSamples(samples(List.of(), List.of(rows), List.of(), 0));
  }

  private static Profile allocations(Allocated... rows) {
    return made().withSamples(samples(List.of(), List.of(rows), List.of(), 0));
  }

  private static Samples samples(
      List<Cpu> cpu, List<Allocated> allocated, List<Deoptimized> deoptimized, long lost) {
    return samples(Samples.Event.CPU, cpu, allocated, deoptimized, lost);
  }

  private static Samples samples(
      Samples.Event event,
      List<Cpu> cpu,
      List<Allocated> allocated,
      List<Deoptimized> deoptimized,
      long lost) {
    boolean time = event == Samples.Event.CPU;
    return new Samples(
        time ? Samples.Source.CPU_TIME : Samples.Source.ASYNC,
        event,
        time ? "JDK Flight Recorder" : "async-profiler 4.5, perf events",
        2_000_000,
        LOCATIONS,
        CALLS,
        cpu,
        List.of(),
        allocated,
        List.of(),
        deoptimized,
        new Samples.Quality(lost, 0, 0, 0, time ? 70 : 0));
  }

  private static Cpu cpu(int node, int stack, long samples) {
    return new Cpu(0, node, stack, samples, samples * 4_000_000);
  }

  private static Allocated allocated(String type, long bytes) {
    return new Allocated(0, 1, IN_ROWS, type, 10, bytes);
  }

  private static Deoptimized deoptimized(long times) {
    return new Deoptimized(0, 1, 1, "class_check", times);
  }

  private static List<String> rules(Profile profile) {
    return Findings.of(profile, profile.tree()).stream().map(Finding::rule).toList();
  }

  private static Finding finding(String rule, Profile profile) {
    return Findings.of(profile, profile.tree()).stream()
        .filter(finding -> finding.rule().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  private static Report report(Profile profile) {
    return new Report(
        new Report.Headline("title", "", List.of()),
        List.of(),
        List.of(),
        profile,
        profile.tree(),
        List.of());
  }

  private static String html(Report report) {
    StringWriter page = new StringWriter();
    try {
      Html.write(report, page);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return page.toString();
  }
}
