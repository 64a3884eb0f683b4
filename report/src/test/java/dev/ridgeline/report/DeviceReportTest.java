package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.DeviceQueue;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.profiler.Submission;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.file.ProfileJson;
import dev.ridgeline.report.format.ChromeTrace;
import dev.ridgeline.report.format.Perfetto;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every medium tells what devices did, apart from what threads did. */
class DeviceReportTest {
  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope MATMUL = Scope.of("matmul");
  private static final long MILLI = 1_000_000;

  private Profile profile;

  @BeforeEach
  void aDeviceWorksForAProgram() {
    DeviceQueue queue = new DeviceQueue("cuda:0");
    Profiler.start(Options.of(Level.TRACE).withoutCalibration());
    long now = System.nanoTime();
    try (var _ = Profiler.scope(FORWARD)) {
      for (int i = 0; i < 3; i++) {
        Submission operation = new Submission();
        try (var open = Profiler.scope(MATMUL)) {
          open.work(4_000_000, 8_000_000);
          Profiler.submit(operation);
        }
        queue.done(operation, now + 4 * i * MILLI, now + (4 * i + 2) * MILLI);
      }
    }
    profile = Profiler.stop();
  }

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private Report report() {
    return new Report(
        new Report.Headline("devices", "", List.of()),
        List.of(),
        List.of(),
        profile,
        profile.tree(),
        Findings.of(profile, profile.tree()));
  }

  @Test
  void theScreenHasATableOfItsOwnAndSaysHowIdleTheDeviceWas() {
    String screen = Console.draw(report(), Console.Style.plain(100), 15, List.of());
    assertThat(screen)
        .containsPattern("scope, by device time +device ms +% +calls +avg µs +GB/s +GOP/s")
        .containsPattern("forward › matmul +6\\.0 +100\\.0 +3 +2,000 +2\\.00? +4\\.00?")
        .contains("cuda:0: 3 operations · busy 6.00 ms · idle between them 4.00 ms (40.0 %)")
        .contains("cuda:0 is idle for 4.00 ms")
        .contains("[idle-device]")
        .doesNotContain("no-work-declared");
  }

  @Test
  void markdownAndPageHaveTheSameTable() throws IOException {
    assertThat(Markdown.draw(report(), 15, 5))
        .contains("Hot paths by device time")
        .containsPattern("forward › matmul \\| 6\\.0 \\| 100\\.0 \\| 3 ");
    StringWriter page = new StringWriter();
    HtmlData.write(report(), page);
    assertThat(page.toString())
        .contains("\"title\":\"Hot paths by device time\"")
        .contains("cuda:0");
  }

  @Test
  void aTimelineHasALaneForIt() throws IOException {
    ByteArrayOutputStream chrome = new ByteArrayOutputStream();
    ChromeTrace.write(profile, chrome, Long.MAX_VALUE);
    assertThat(chrome.toString(StandardCharsets.UTF_8))
        .contains("\"cuda:0\"")
        .contains("\"dur\":2000.000");
    ByteArrayOutputStream perfetto = new ByteArrayOutputStream();
    Perfetto.write(profile, perfetto, Long.MAX_VALUE);
    assertThat(perfetto.toString(StandardCharsets.ISO_8859_1)).contains("cuda:0");
  }

  @Test
  void itIsReadBackAsItWasWritten() throws IOException {
    assertThat(read(json())).isEqualTo(profile);
  }

  @Test
  void operationsThatNobodyAskedForAreRefused() throws IOException {
    String json = json();
    int devices = json.indexOf("\"devices\"");
    String broken =
        json.substring(0, devices)
            + json.substring(devices)
                .replaceFirst("\"origin\"\\s*:\\s*\\[[^]]*\\]", "\"origin\":[-2]");
    assertThat(broken).isNotEqualTo(json);
    assertThatThrownBy(() -> read(broken))
        .isInstanceOf(FileException.class)
        .hasMessageContaining("origin[0]");
  }

  private String json() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProfileJson.write(profile, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Profile read(String json) throws IOException {
    return ProfileJson.read("it", new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }
}
