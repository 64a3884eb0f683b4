package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.roofline.Ceilings;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FormatTest {
  @Test
  void formatsAreFoundByName() {
    assertThat(Format.of("md")).isEqualTo(Format.MARKDOWN);
    for (Format format : Format.values()) assertThat(Format.of(format.id())).isEqualTo(format);
    assertThatThrownBy(() -> Format.of("pdf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no format 'pdf'; there are console, md, html, json, top, pprof, pprof-alloc,"
                + " pprof-samples, speedscope, collapsed, collapsed-alloc, flame, flame-alloc,"
                + " roofline, perfetto, chrome, jfr, diff-html, diff-svg, diff-alloc-html,"
                + " diff-alloc-svg");
  }

  @Test
  void aFormatWhoseDataWasNotRecordedSaysWhichOptionRecordsIt() {
    assertThat(Format.TOP.refusal(Made.profile().level(Level.TIME).build())).isNull();
    assertThat(Format.TOP.refusal(null))
        .isEqualTo(
            "top needs a profile, but this run was recorded without a profile;"
                + " record a profile with ridgeline profile");
    assertThat(Format.TOP.refusal(Made.profile().level(Level.OFF).build()))
        .isEqualTo(
            "top needs a profile, but this run was recorded at level OFF;"
                + " record a profile with ridgeline profile");
  }

  @Test
  void formatsOfRawEventsAndAllocationsNeedTheirLevel() {
    assertThat(Format.PERFETTO.refusal(Made.profile().level(Level.ALLOCATION).build()))
        .isEqualTo(
            "perfetto needs raw events, but this run was recorded at level ALLOCATION;"
                + " record raw events with --level trace");
    assertThat(Format.PPROF_ALLOCATION.refusal(Made.profile().level(Level.TIME).build()))
        .contains("needs allocations", "--level allocation");
    assertThat(Format.CHROME.refusal(Made.profile().level(Level.TRACE).build())).isNull();
  }

  @Test
  void samplesNeedSamplingAndARecordingIsMadeWhileTheProgramRuns() {
    Profile profile = SampleProfiles.random(3, 20, 2, Level.TIME);
    assertThat(Format.PPROF_SAMPLES.refusal(profile)).isNull();
    assertThat(Format.PPROF_SAMPLES.refusal(profile.withSamples(Samples.NONE)))
        .isEqualTo(
            "pprof-samples needs CPU samples, but this run was recorded without it;"
                + " record CPU samples with --sample cpu");
    assertThat(Format.JFR.refusal(profile))
        .isEqualTo(
            "jfr needs a flight recording, but this run was recorded without it;"
                + " record a flight recording with ridgeline profile --formats jfr");
  }

  @Test
  void aRooflineNeedsCeilings() {
    Profile profile = Made.profile().level(Level.TIME).build();
    assertThat(Format.ROOFLINE.refusal(profile, Machines.ZEN_4)).isNull();
    assertThat(Format.ROOFLINE.refusal(null, Machines.ZEN_4)).contains("needs a profile");
    assertThat(Format.ROOFLINE.refusal(profile, Ceilings.NONE))
        .isEqualTo(
            "roofline needs ceilings, but this run was recorded without them;"
                + " record ceilings with ridgeline roofline");
    assertThat(Format.TOP.refusal(profile, Ceilings.NONE)).isNull();
  }

  @Test
  void aDifferenceIsOfTwoRuns() {
    assertThat(Format.DIFFERENCE_SVG.refusal(SampleProfiles.random(3, 20, 2, Level.TRACE)))
        .isEqualTo("diff-svg compares two runs: name the other with --diff RUN");
    Profile timed = Made.profile().level(Level.TIME).build();
    assertThat(Format.DIFFERENCE_SVG.refusalOfOne(timed)).isNull();
    assertThat(Format.DIFFERENCE_ALLOCATION_SVG.refusalOfOne(timed))
        .isEqualTo(
            "diff-alloc-svg needs allocations, but this run was recorded at level TIME;"
                + " record allocations with --level allocation");
  }

  @Test
  void noTwoFormatsAreTheSameFile() {
    assertThat(Arrays.stream(Format.values()).map(Format::fileName)).doesNotHaveDuplicates();
  }
}
