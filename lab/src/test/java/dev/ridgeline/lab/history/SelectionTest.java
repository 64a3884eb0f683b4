package dev.ridgeline.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private final Run run = SampleRun.of("embed", 100);

  private boolean matches(String name, String metric, String machine, String revision) {
    return new Selection(name, metric, machine, revision, Instant.MIN).matches(run);
  }

  @Test
  void everyPartMustFit() {
    assertThat(Selection.ALL.matches(run)).isTrue();
    assertThat(matches("emb", "EMBED", "zen 4", "0123")).isTrue();
    assertThat(matches("generate", "", "", "")).isFalse();
    assertThat(matches("", "p99", "", "")).isFalse();
    assertThat(matches("", "", "Zen 5", "")).isFalse();
    assertThat(matches("", "", "", "123")).isFalse();
  }

  @Test
  void sinceCountsFromTheMomentItself() {
    Instant started = run.started();
    assertThat(new Selection("", "", "", "", started).matches(run)).isTrue();
    assertThat(new Selection("", "", "", "", started.plusNanos(1)).matches(run)).isFalse();
  }

  @Test
  void theMetricIsTheOneAskedForElseTheFirst() {
    assertThat(Selection.ALL.metricOf(run)).contains(run.metrics().getFirst());
    assertThat(new Selection("", "p99", "", "", Instant.MIN).metricOf(run)).isEmpty();
  }
}
