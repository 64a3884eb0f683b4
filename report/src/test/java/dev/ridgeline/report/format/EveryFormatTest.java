package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.SampleProfiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** What holds for all formats alike, whatever the profile. */
@Execution(CONCURRENT)
class EveryFormatTest {
  private static final DifferenceGraph.Names NAMES = new DifferenceGraph.Names("old <run>", "new");

  private interface Writer {
    void write(Profile profile, OutputStream out) throws IOException;
  }

  private static final Map<String, Writer> WRITERS = new LinkedHashMap<>();

  static {
    WRITERS.put("pprof", Pprof::cpu);
    WRITERS.put("pprof-alloc", Pprof::allocation);
    WRITERS.put("pprof-samples", Pprof::samples);
    WRITERS.put("speedscope", (p, out) -> Speedscope.write(p, out, Kept.LIMIT_BYTES));
    WRITERS.put("chrome", (p, out) -> ChromeTrace.write(p, out, Kept.LIMIT_BYTES));
    WRITERS.put("perfetto", (p, out) -> Perfetto.write(p, out, Kept.LIMIT_BYTES));
    WRITERS.put("collapsed", (p, out) -> Collapsed.write(p.tree(), Measure.TIME, out));
    WRITERS.put("flame", (p, out) -> FlameGraph.write(p.tree(), Measure.TIME, out));
    WRITERS.put("collapsed-alloc", (p, out) -> Collapsed.write(p.tree(), Measure.ALLOCATION, out));
    WRITERS.put("flame-alloc", (p, out) -> FlameGraph.write(p.tree(), Measure.ALLOCATION, out));
    Profile other = Play.random(0, Level.TIME);
    WRITERS.put(
        "difference.svg",
        (p, out) -> DifferenceGraph.svg(Difference.of(other.tree(), p.tree()), NAMES, out));
    WRITERS.put(
        "difference.html",
        (p, out) -> DifferenceGraph.html(Difference.of(p.tree(), other.tree()), NAMES, out));
    WRITERS.put(
        "difference-allocations.html",
        (p, out) ->
            DifferenceGraph.html(
                Difference.of(other.tree(), p.tree(), Measure.ALLOCATION), NAMES, out));
  }

  @Test
  void anyProfileAtAnyLevelIsWrittenAndTwiceTheSame() {
    for (Level level : List.of(Level.TIME, Level.ALLOCATION, Level.TRACE)) {
      for (long seed = 0; seed < 12; seed++) {
        check(Play.random(seed, level), "played, seed " + seed);
        Profile sample =
            SampleProfiles.random(seed, 20 + (int) seed * 10, 1 + (int) seed % 5, level);
        check(sample, "sample, seed " + seed);
        check(SlicesTest.scrambled(sample, seed), "scrambled, seed " + seed);
      }
    }
  }

  @Test
  void nothingAtAllIsWritten() {
    Profile p = Play.random(0, Level.TRACE);
    check(with(p, List.of()), "no lanes");
    check(
        with(p, List.of(new Profile.Lane("", false, 0, List.of(), Trace.EMPTY))), "an empty lane");
  }

  @Test
  void oddNamesAndNumbersAreWritten() {
    Profile p = Play.random(0, Level.TRACE);
    for (String name :
        List.of("", " ", "\uD800", "\uDC00x", "\0", "x".repeat(100_000), "{{rows}}$1\\")) {
      List<Profile.Node> nodes =
          List.of(node(-1, name, 5, -5, 7), node(0, name, Long.MAX_VALUE, Long.MAX_VALUE, 0));
      Trace trace = Trace.of(Long.MAX_VALUE, 1, 0, 5, -1, 1, 1, 0, 0, Long.MAX_VALUE, 3, 0, 9);
      check(with(p, List.of(new Profile.Lane(name, false, 1, nodes, trace))), name);
    }
  }

  @Test
  void aRecursionWithoutEndIsWrittenInBoundedSpace() throws IOException {
    List<Profile.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) nodes.add(node(i - 1, "f" + i % 7, 4_000 - i, 1, 1));
    Profile deep =
        with(
            Play.random(0, Level.TRACE),
            List.of(new Profile.Lane("deep", false, 1, nodes, Trace.EMPTY)));
    for (var writer : WRITERS.entrySet()) {
      byte[] written = bytes(writer.getValue(), deep);
      assertThat(written.length).as(writer.getKey()).isLessThan((int) Kept.LIMIT_BYTES);
      assertThat(bytes(writer.getValue(), deep)).as(writer.getKey()).isEqualTo(written);
    }
  }

  private static void check(Profile profile, String label) {
    WRITERS.forEach(
        (name, writer) ->
            assertThatCode(
                    () -> assertThat(bytes(writer, profile)).isEqualTo(bytes(writer, profile)))
                .as("%s of %s", name, label)
                .doesNotThrowAnyException());
  }

  private static byte[] bytes(Writer writer, Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(profile, out);
    return out.toByteArray();
  }

  private static Profile.Node node(int parent, String name, long total, long self, long bytes) {
    return new Profile.Node(
        parent,
        name,
        Profile.Node.SCOPE,
        new Profile.Time(1, 0, total, self, 0, total, Histogram.EMPTY),
        new Profile.Allocation(bytes, -bytes),
        new Profile.Work(bytes, bytes),
        Profile.FanOut.NONE);
  }

  private static Profile with(Profile p, List<Profile.Lane> lanes) {
    return new Profile(
        p.level(),
        p.started(),
        p.wallNanos(),
        lanes,
        List.of(),
        p.paths(),
        p.calibration(),
        p.system(),
        p.ledger(),
        p.slips(),
        p.samples(),
        List.of(),
        Profile.Waits.NONE);
  }
}
