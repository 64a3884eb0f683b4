package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Files of raw events keep to their limit, and say what they left out. */
@Execution(CONCURRENT)
class KeptTest {
  private interface Writer {
    Kept write(Profile profile, OutputStream out, long limitBytes) throws IOException;
  }

  private static final Map<String, Writer> WRITERS =
      Map.of(
          "speedscope", Speedscope::write,
          "chrome", ChromeTrace::write,
          "perfetto", Perfetto::write);

  @Test
  void theNewestOfAllThreadsAreKept() {
    for (long seed = 0; seed < 50; seed++) {
      Profile profile = Play.random(seed, Level.TRACE);
      int[] first = Kept.first(profile, 57, (_, _) -> 1);
      long oldestKept = Long.MAX_VALUE;
      long newestCut = Long.MIN_VALUE;
      long events = 0;
      for (int l = 0; l < first.length; l++) {
        Trace trace = profile.lanes().get(l).trace();
        events += trace.size() - first[l];
        if (first[l] < trace.size()) oldestKept = Math.min(oldestKept, end(trace, first[l]));
        if (first[l] > 0) newestCut = Math.max(newestCut, end(trace, first[l] - 1));
      }
      assertThat(events).as("seed %d", seed).isEqualTo(57);
      assertThat(newestCut).as("seed %d", seed).isLessThanOrEqualTo(oldestKept);
    }
  }

  private static long end(Trace trace, int event) {
    return trace.startNanos(event) + trace.durationNanos(event);
  }

  @Test
  void aFileIsNeverLargerThanItsLimitAndUsesIt() throws IOException {
    Profile profile = Play.random(4, Level.TRACE, 20_000, 1 << 20);
    long all = profile.lanes().stream().mapToLong(lane -> lane.trace().size()).sum();
    for (var writer : WRITERS.entrySet()) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      Kept everything = writer.getValue().write(profile, whole, Kept.LIMIT_BYTES);
      assertThat(everything).isEqualTo(new Kept(all, 0, 0, Kept.LIMIT_BYTES));
      long aggregates = size(writer.getValue(), profile, 0);
      for (double part : new double[] {0.9, 0.5, 0.1, 0.01}) {
        long limit = aggregates + 1_500 * profile.lanes().size();
        limit += (long) ((whole.size() - aggregates) * part);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Kept kept = writer.getValue().write(profile, out, limit);
        assertThat(out.size()).as(writer.getKey()).isLessThanOrEqualTo((int) limit);
        assertThat(kept.events() + kept.cut()).isEqualTo(all);
        assertThat(kept.cut()).isPositive();
        if (part > 0.05) {
          assertThat(out.size() - aggregates)
              .as(writer.getKey())
              .isGreaterThan((limit - aggregates) / 3);
        }
        assertThat(out.toString()).contains("by the file's limit of");
      }
    }
  }

  private static long size(Writer writer, Profile profile, long limit) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(writer.write(profile, out, limit).events()).isZero();
    return out.size();
  }

  @Test
  void whatTheRingDroppedIsSaidInTheFile() throws IOException {
    Profile profile = Play.random(4, Level.TRACE, 2_000, 100);
    for (var writer : WRITERS.entrySet()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Kept kept = writer.getValue().write(profile, out, Kept.LIMIT_BYTES);
      assertThat(kept.dropped()).isPositive();
      assertThat(out.toString()).as(writer.getKey()).contains("by the profiler's ring");
    }
  }

  @Test
  void whatIsMissingIsOneLine() {
    assertThat(new Kept(5, 0, 0, 64_000_000).missing()).isEmpty();
    assertThat(new Kept(5, 1_234, 56, 64_000_000).missing())
        .isEqualTo(
            "older events dropped: 1,234 by the profiler's ring, 56 by the file's limit of 64.0"
                + " MB; aggregates are complete");
    assertThat(List.of(new Kept(5, 0, 1, 9).missing()))
        .containsExactly(
            "older events dropped: 1 by the file's limit of 9 B; aggregates are complete");
  }
}
