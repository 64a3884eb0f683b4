package dev.ridgeline.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  @TempDir private Path folder;

  @Test
  void theFirstRunHasNothingBeforeIt() {
    assertThat(Since.line(SampleRun.at(SampleRun.of("embed", 100), 5), new Runs(folder))).isEmpty();
  }

  @Test
  void theDriftIsNotKnownFromFewRuns() {
    Runs runs = keep(100, 101, 99);
    assertThat(Since.line(now(100), runs).orElseThrow())
        .contains("embedded +1.0 %")
        .endsWith("is not known yet; `ridgeline ab` proves changes");
  }

  @Test
  void aChangeWithinTheDriftIsSaidToBe() {
    Runs runs = keep(100, 103, 100, 97, 100, 102, 99, 101);
    assertThat(Since.line(now(100), runs).orElseThrow()).contains("inside this machine's drift");
    assertThat(Since.line(now(50), runs).orElseThrow())
        .contains("embedded −50.5 %")
        .contains("more than this machine's drift");
  }

  @Test
  void otherWorkOtherMachinesAndDamagedRunsAreLeftOut() throws IOException {
    Runs runs = keep(100);
    Run other = SampleRun.at(SampleRun.of("embed", 7), 60);
    SampleRun.keep(
        runs,
        new Run(
            other.name(),
            other.title(),
            other.started(),
            other.command(),
            other.options(),
            other.machine(),
            other.revision(),
            Map.of("model", "other"),
            other.plan(),
            Map.of(),
            other.outputDigest(),
            other.metrics(),
            List.of(),
            0,
            Ceilings.NONE));
    RunDirectory damaged = SampleRun.keep(runs, SampleRun.at(SampleRun.of("embed", 9), 70));
    Files.writeString(damaged.path().resolve("run.json"), "{");
    assertThat(Since.line(now(110), runs).orElseThrow()).contains("embedded +10.0 %");
  }

  @Test
  void anotherRevisionIsNoDriftButIsWhatIsAskedFor() {
    Runs runs = keep(100, 100, 100, 100, 100);
    Run changed = SampleRun.changed(now(200), "other", SampleRun.of("embed", 1).plan());
    assertThat(Since.line(changed, runs).orElseThrow())
        .contains("embedded +100.0 %, more than this machine's drift of ±0.0 %");
    Run plan = SampleRun.changed(now(200), "other", Map.of("strategy", "coarse", "workers", "2"));
    assertThat(Since.line(plan, runs).orElseThrow())
        .contains("another plan: strategy: packed → coarse");
  }

  private Runs keep(double... rates) {
    Runs runs = new Runs(folder);
    for (int i = 0; i < rates.length; i++) {
      SampleRun.keep(runs, SampleRun.at(SampleRun.of("embed", rates[i]), i));
    }
    return runs;
  }

  private static Run now(double rate) {
    return SampleRun.at(SampleRun.of("embed", rate), 1000);
  }
}
