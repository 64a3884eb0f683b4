package dev.ridgeline.profiler;

import static dev.ridgeline.profiler.Planted.calls;
import static dev.ridgeline.profiler.Planted.cpu;
import static dev.ridgeline.profiler.Planted.inScope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.profiler.Samples.Event;
import dev.ridgeline.profiler.Samples.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples of async-profiler find their scopes, and see code outside of Java. */
class AsyncSamplingTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");

  private static AsyncProfiler library;
  private static Object sink;

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    try {
      library = one.profiler.AsyncProfiler.getInstance()::execute;
    } catch (UnsatisfiedLinkError | IllegalStateException e) {
      assumeTrue(false, "async-profiler has no library for this platform: " + e.getMessage());
    }
  }

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void plantedSharesComeBackWithinThreePoints() {
    Planted.Told told = Planted.comesBack(async().withCpu());
    assertThat(told.sampled().all()).isGreaterThan(0.7 * told.planted().all());
    Samples samples = told.profile().samples();
    assertThat(samples.source()).isEqualTo(Samples.Source.ASYNC);
    assertThat(samples.engine()).matches("async-profiler [\\d.]+, (perf events|.timer)");
  }

  @Test
  void plantedSharesComeBackWithoutPerfEvents() {
    AsyncProfiler withoutPerf =
        command -> {
          String answer = library.execute(command);
          return command.equals("list") ? answer.replaceAll("(?s)Perf events:.*", "") : answer;
        };
    assumeTrue(offers("ctimer"), "needs the ctimer of Linux");
    Planted.Told told = Planted.comesBack(Sampling.NONE.withAsync(withoutPerf).withCpu());
    double all = told.planted().all();
    assertThat(told.sampled().all()).isBetween(0.7 * all, 1.3 * all);
    Samples samples = told.profile().samples();
    assertThat(samples.engine()).endsWith(", ctimer");
    assertThat(samples.period()).isEqualTo(10_000_000);
  }

  @Test
  void anEngineThatDoesNotStartGivesWayToTheNext() {
    assumeTrue(offers("ctimer"), "needs the ctimer of Linux");
    Planted.ready();
    AsyncProfiler strict =
        command -> {
          if (command.contains("event=cpu")) throw new IllegalStateException("too many threads");
          String answer = library.execute(command);
          return command.equals("list") ? answer + "Perf events:" : answer;
        };
    start(Sampling.NONE.withAsync(strict).withCpu());
    assertThat(Profiler.stop().samples().engine()).endsWith(", ctimer");
  }

  @Test
  void functionsOfLibrariesAreInsideTheJavaCodeThatCalledThem() {
    start(async().withCpu());
    try (var _ = Profiler.scope(A)) {
      deflate();
    }
    Profile profile = Profiler.stop();
    Set<String> functions = new HashSet<>();
    for (Samples.Cpu row : profile.samples().cpu()) {
      List<Samples.Location> stack = profile.samples().stack(row.stack());
      if (stack.isEmpty() || stack.getFirst().kind() != Kind.LIBRARY) continue;
      if (stack.stream().noneMatch(frame -> frame.method().equals("deflateBytesBytes"))) continue;
      assertThat(inScope(profile, "a").test(row)).isTrue();
      functions.add(stack.getFirst().method());
      assertThat(stack)
          .filteredOn(frame -> frame.method().equals("deflateBytesBytes"))
          .allMatch(frame -> frame.kind() == Kind.NATIVE);
    }
    assertThat(functions).isNotEmpty();
  }

  private static void deflate() {
    byte[] from = new byte[1 << 20];
    for (int i = 0; i < from.length; i++) from[i] = (byte) (i * 31 >>> 3 & 15);
    byte[] to = new byte[1 << 20];
    try (Deflater deflater = new Deflater()) {
      for (long end = System.nanoTime() + 1_500_000_000; System.nanoTime() < end; ) {
        deflater.reset();
        deflater.setInput(from);
        deflater.finish();
        deflater.deflate(to);
      }
    }
  }

  @Test
  void allocationsAreSampledWithTheirClassAndScope() {
    start(async().withAllocations());
    for (int i = 0; i < 20_000; i++) {
      try (var _ = Profiler.scope(A)) {
        sink = new byte[10_000];
      }
      try (var _ = Profiler.scope(B)) {
        sink = new int[1_000];
      }
    }
    Profile profile = Profiler.stop();
    double inA = bytes(profile, "byte[]", 0);
    // 200 MB and 80 MB, in samples of 512 kB: some 400 and 160 of them.
    assertThat(inA).isBetween(140e6, 260e6);
    assertThat(bytes(profile, "int[]", 1)).isBetween(40e6, 120e6);
    assertThat(profile.samples().cpu()).isEmpty();
    assertThat(profile.samples().engine()).endsWith(", allocation");
  }

  private static double bytes(Profile profile, String type, int scope) {
    String name = scope == 0 ? "a" : "b";
    return profile.samples().allocations().stream()
        .filter(row -> row.type().equals(type) && row.lane() >= 0)
        .filter(row -> profile.lanes().get(row.lane()).nodes().get(row.node()).name().equals(name))
        .mapToLong(Samples.Allocated::bytes)
        .sum();
  }

  @Test
  void aVirtualThreadsScopeIsNotGuessed() throws InterruptedException {
    start(async().withCpu());
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try (var _ = Profiler.scope(A)) {
                Busy.hot(400);
              }
            });
    thread.join();
    Profile profile = Profiler.stop();
    assertThat(cpu(profile, calls(profile, "hot"))).isPositive();
    assertThat(profile.samples().cpu())
        .filteredOn(calls(profile, "hot"))
        .allMatch(row -> row.lane() == Samples.UNATTRIBUTED);
  }

  @Test
  void anotherEventIsCountedOrRefusedInOneLine() {
    for (Event event : Event.values()) {
      if (event == Event.CPU) continue;
      try {
        start(async().withEvent(event));
      } catch (IllegalStateException e) {
        assertThat(e.getMessage())
            .startsWith("no samples by " + event.words() + ": ")
            .endsWith("why: ridgeline doctor")
            .doesNotContain("\n");
        continue;
      }
      try (var _ = Profiler.scope(A)) {
        for (int i = 0; i < 30; i++) sink = new byte[1 << 22];
        Busy.hot(200);
      }
      Samples samples = Profiler.stop().samples();
      assertThat(samples.event()).isEqualTo(event);
      assertThat(samples.engine()).endsWith(", perf events");
      assertThat(samples.cpu()).allMatch(row -> row.weight() == row.samples() * samples.period());
    }
  }

  @Test
  void samplesAreKeptBesideTheRecordingWithTheirTimes() throws IOException {
    Path file = folder.resolve("recording.jfr");
    Instant before = Instant.now();
    start(async().withCpu().withRecording(file));
    try (var _ = Profiler.scope(A)) {
      Busy.hot(300);
    }
    Profiler.stop();
    Instant after = Instant.now();
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .contains("ridgeline.ScopeTotal");
    Path own = folder.resolve("recording-async.jfr");
    assertThat(RecordingFile.readAllEvents(own))
        .filteredOn(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
        .isNotEmpty()
        .allSatisfy(event -> assertThat(event.getStartTime()).isBetween(before, after));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, own);
    }
  }

  @Test
  void aSnapshotHasTheSamplesOfAWhileAgo() {
    start(async().withCpu());
    try (var _ = Profiler.scope(A)) {
      Profile profile = Profiler.snapshot();
      for (int i = 0; i < 200 && profile.samples().cpu().isEmpty(); i++) {
        Busy.hot(50);
        profile = Profiler.snapshot();
      }
      assertThat(cpu(profile, inScope(profile, "a"))).isPositive();
    }
  }

  @Test
  void aProfilerThatIsInUseIsSaidAndNothingStaysBehind() throws IOException {
    library.execute("start,event=itimer,loglevel=none");
    try {
      assertThatIllegalStateException()
          .isThrownBy(() -> start(async().withCpu()))
          .withMessage("async-profiler: Profiler already started");
    } finally {
      library.execute("stop");
    }
    assertThat(Profiler.running()).isFalse();
    start(async().withCpu());
    Profiler.stop();
  }

  @Test
  void whatTheFlightRecorderCannotCountIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Sampling.NONE.withEvent(Event.CYCLES));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Event.of("cache-mises"))
        .withMessage(
            "cache-mises: cpu, cycles, instructions, cache-misses, branch-misses, page-faults");
  }

  private static Sampling async() {
    return Sampling.NONE.withAsync(library);
  }

  private static boolean offers(String engine) {
    try {
      return library.execute("list").contains(engine);
    } catch (IOException e) {
      return false;
    }
  }

  private static void start(Sampling sampling) {
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
  }
}
