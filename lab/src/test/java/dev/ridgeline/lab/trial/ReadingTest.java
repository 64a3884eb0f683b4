package dev.ridgeline.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run is reduced to. */
class ReadingTest {
  @TempDir private Path folder;

  @Test
  void theBetterPartOfWhatCameAfterWarmingUpCounts() {
    Metric metric = Metric.of("rate", "1/s", Better.HIGHER, 50, 70, 100, 101, 99, 100, 101, 100);
    Reading reading = read(metric, null, 0);
    assertThat(reading.metrics().getFirst().number()).isEqualTo(100.4);
    assertThat(reading.digest()).isEqualTo("sha");
    assertThat(reading.amounts()).isEmpty();
  }

  @Test
  void scopesAndAmountsAreToldForAUnitOfWorkWithoutLoading() {
    Profiler.start(Options.of(Level.ALLOCATION));
    spin("load", "read", 1);
    for (int i = 0; i < 4; i++) spin("embed", "layer " + i % 2, 3);
    Reading reading = read(Metric.of("rate", "", Better.HIGHER, 1), Profiler.stop(), 4);
    assertThat(reading.scopes()).containsKey("embed › layer 0–1");
    assertThat(reading.scopes().keySet()).noneMatch(path -> path.startsWith("load"));
    // Each is at least the time that was spent in it.
    assertThat(reading.scopes().get("embed › layer 0–1")).isGreaterThan(0.9 * 1_000_000);
    assertThat(reading.amounts())
        .containsEntry(Reading.CALLS, 1 + 3.0)
        .containsEntry(Reading.TOUCHED, 3 * 100.0)
        .containsKey(Reading.ALLOCATED);
  }

  private static void spin(String outer, String inner, int times) {
    try (var _ = Profiler.scope(Scope.of(outer))) {
      for (int i = 0; i < times; i++) {
        try (var scope = Profiler.scope(Scope.of(inner))) {
          scope.work(100, 0);
          long until = System.nanoTime() + 400_000;
          while (System.nanoTime() < until) Thread.onSpinWait();
        }
      }
    }
  }

  private Reading read(Metric metric, Profile profile, double units) {
    Run run =
        new Run(
            "embed",
            "",
            Instant.EPOCH,
            List.of(),
            List.of(),
            Machine.here(),
            "",
            Map.of(),
            Map.of(),
            Map.of(),
            "sha",
            List.of(metric),
            List.of(),
            units,
            Ceilings.NONE);
    try (RunDraft draft = new Runs(folder).begin("embed", Instant.EPOCH)) {
      draft.write(run);
      if (profile != null) draft.write(profile);
      RunDirectory directory = draft.commit();
      return Reading.of(directory);
    }
  }
}
