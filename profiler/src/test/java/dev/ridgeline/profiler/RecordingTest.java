package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.file.FileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import one.convert.Arguments;
import one.convert.JfrToFlame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording that a session leaves for other tools. */
class RecordingTest {
  private static final Scope OUTER = Scope.of("outer");
  private static final Scope SLOW = Scope.of("slow");
  private static final Scope QUICK = Scope.of("quick");

  @TempDir Path folder;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void slowScopesAndTotalsAreEventsOfTheRecording() throws Exception {
    Path file = folder.resolve("recording.jfr");
    Sampling sampling =
        Sampling.NONE.withCpu().withRecording(file).withSlowScope(Duration.ofMillis(30));
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration().withSampling(sampling));
    try (var _ = Profiler.scope(OUTER)) {
      for (int i = 0; i < 3; i++) {
        try (var slow = Profiler.scope(SLOW)) {
          slow.work(10 + i, 100);
          for (int j = 0; j < 5; j++) {
            try (var _ = Profiler.scope(QUICK)) {}
          }
          Thread.sleep(40);
        }
      }
    }
    Profile profile = Profiler.stop();

    List<RecordedEvent> slow = events(file, "ridgeline.Scope");
    assertThat(slow.stream().map(event -> event.getString("path")))
        .containsExactlyInAnyOrder("outer › slow", "outer › slow", "outer › slow", "outer");
    long starts = Long.MIN_VALUE;
    for (RecordedEvent event : slow) {
      // Both clocks saw the same scope.
      Duration took = event.getDuration("took");
      assertThat(event.getDuration().minus(took).abs()).isLessThan(Duration.ofMillis(1));
      if (!event.getString("name").equals("slow")) continue;
      assertThat(took).isBetween(Duration.ofMillis(40), Duration.ofNanos(profile.wallNanos()));
      assertThat(event.getLong("bytes")).isBetween(10L, 12L);
      assertThat(event.getLong("flops")).isEqualTo(100);
      assertThat(event.getLong("allocated")).isNotNegative();
      long start = event.getStartTime().toEpochMilli();
      assertThat(start).isGreaterThanOrEqualTo(starts + 35);
      starts = start;
    }
    List<RecordedEvent> totals = events(file, "ridgeline.ScopeTotal");
    assertThat(totals).hasSize(3);
    CallTree.Node quick = profile.tree().find("outer", "slow", "quick");
    RecordedEvent total =
        totals.stream()
            .filter(event -> event.getString("path").equals("outer › slow › quick"))
            .findFirst()
            .orElseThrow();
    assertThat(total.getLong("calls")).isEqualTo(15);
    assertThat(total.getDuration("total").toNanos()).isEqualTo(quick.totalNanos());
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }

    assertThat(jfr("print", "--events", "ridgeline.Scope", file.toString()))
        .contains("path = \"outer › slow\"")
        .contains("duration = 4");
    assertThat(jfr("summary", file.toString()))
        .containsPattern("ridgeline.ScopeTotal +3 ")
        .containsPattern("ridgeline.Scope +4 ");
  }

  @Test
  void aScopeThatIsStillOpenSaysSo() throws Exception {
    Path file = folder.resolve("recording.jfr");
    Profiler.start(
        Options.of(Level.TIME)
            .withoutCalibration()
            .withSampling(Sampling.NONE.withRecording(file)));
    try (var _ = Profiler.scope(OUTER)) {
      Profiler.stop();
    }
    RecordedEvent total = events(file, "ridgeline.ScopeTotal").getFirst();
    assertThat(total.getLong("calls")).isZero();
    assertThat(total.getLong("open")).isEqualTo(1);
  }

  @Test
  void aTasksEventStandsUnderThePlaceItCameFrom() throws Exception {
    Path file = folder.resolve("recording.jfr");
    Sampling sampling = Sampling.NONE.withRecording(file).withSlowScope(Duration.ofMillis(5));
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
    try (var _ = Profiler.scope(OUTER)) {
      Thread thread =
          new Thread(
              Profiler.task(
                  SLOW,
                  () -> {
                    Busy.hot(20);
                  }));
      thread.start();
      thread.join();
    }
    Profiler.stop();
    assertThat(events(file, "ridgeline.Scope").stream().map(event -> event.getString("path")))
        .contains("outer › slow");
  }

  /** By the source that works after async-profiler has run in this JVM, too. */
  @Test
  void theConverterOfOthersReadsItsStacks() throws Exception {
    Path file = folder.resolve("recording.jfr");
    Sampling sampling = Sampling.NONE.withCpu(Samples.Source.EXECUTION).withRecording(file);
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
    try (var _ = Profiler.scope(OUTER)) {
      Busy.hot(800);
    }
    Profiler.stop();
    Path stacks = folder.resolve("stacks.collapsed");
    JfrToFlame.convert(file.toString(), stacks.toString(), new Arguments("--output", "collapsed"));
    assertThat(Files.readString(stacks)).contains("RecordingTest.theConverterOf", "Busy.hot");
  }

  @Test
  void aRecordingThatCannotBeWrittenEndsTheSessionWithOneClearLine() {
    Path file = folder.resolve("no such folder").resolve("recording.jfr");
    Sampling sampling = Sampling.NONE.withRecording(file);
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
    assertThatThrownBy(Profiler::stop)
        .isInstanceOf(FileException.class)
        .hasMessageStartingWith(file + ": ");
    assertThat(Profiler.running()).isFalse();
  }

  private static List<RecordedEvent> events(Path file, String name) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .toList();
  }

  private static String jfr(String... arguments) throws Exception {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jfr");
    ProcessBuilder builder = new ProcessBuilder(tool.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Dstdout.encoding=UTF-8");
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }
}
