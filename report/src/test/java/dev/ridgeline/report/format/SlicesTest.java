package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.SampleProfiles;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SlicesTest {
  @Test
  void whatTheProfilerRecordedIsNotChanged() {
    for (long seed = 0; seed < 200; seed++) {
      for (Lane lane : Play.random(seed, Level.TRACE).lanes()) {
        Edges edges = walk(new Slices(lane, 0), "seed " + seed);
        Map<Object, Long> wanted = new TreeMap<>();
        Trace trace = lane.trace();
        for (int e = 0; e < trace.size(); e++) wanted.put(e, trace.durationNanos(e));
        assertThat(edges.totals()).as("seed %d", seed).isEqualTo(wanted);
        assertThat(edges.outermost()).as("seed %d", seed).isEqualTo(lane.totalNanos());
      }
    }
  }

  @Test
  void callsWhoseCallerIsNotThereStandByThemselves() {
    for (long seed = 0; seed < 100; seed++) {
      for (Lane lane : Play.random(seed, Level.TRACE).lanes()) {
        Trace trace = lane.trace();
        int first = trace.size() / 3;
        Map<Object, Long> wanted = new TreeMap<>();
        for (int e = first; e < trace.size(); e++) wanted.put(e, trace.durationNanos(e));
        assertThat(walk(new Slices(lane, first), "seed " + seed).totals()).isEqualTo(wanted);
      }
    }
  }

  @Test
  void eventsThatDoNotNestAreCutToFit() {
    for (long seed = 0; seed < 100; seed++) {
      for (Lane lane : SampleProfiles.random(seed, 200, 3, Level.TRACE).lanes()) {
        walk(new Slices(lane, 0), "seed " + seed).totals();
        walk(new Slices(scrambled(lane, seed), 0), "scrambled, seed " + seed).totals();
      }
    }
  }

  static Lane scrambled(Lane lane, long seed) {
    Random random = new Random(seed);
    long[] extremes = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};
    long[] events = new long[60 * Trace.STRIDE];
    for (int i = 0; i < events.length; i += Trace.STRIDE) {
      events[i] = Trace.task(random.nextInt(lane.nodes().size()), random.nextInt(9) - 1);
      events[i + 1] = random.nextInt(5) == 0 ? extremes[random.nextInt(6)] : random.nextInt(10_000);
      events[i + 2] =
          random.nextInt(5) == 0 ? Math.max(0, extremes[random.nextInt(6)]) : random.nextInt(3_000);
      for (int k = 3; k < Trace.STRIDE; k++) events[i + k] = extremes[random.nextInt(6)];
    }
    return new Lane(
        lane.thread(), lane.virtual(), lane.threads(), lane.nodes(), Trace.of(3, events));
  }

  /** A profile with such lanes. */
  static Profile scrambled(Profile p, long seed) {
    return new Profile(
        p.level(),
        p.started(),
        p.wallNanos(),
        p.lanes().stream().map(lane -> scrambled(lane, seed)).toList(),
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

  private static Edges walk(Slices slices, String label) {
    Edges edges = new Edges(label);
    slices.walk(
        new Slices.Visitor() {
          @Override
          public void begin(int event, long at) {
            assertThat(at).isEqualTo(slices.start(event));
            edges.begin(event, at);
          }

          @Override
          public void end(int event, long at) {
            assertThat(at).isEqualTo(slices.end(event));
            edges.end(event, at);
          }
        });
    return edges;
  }
}
