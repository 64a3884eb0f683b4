package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.Level;
import org.junit.jupiter.api.Test;

class FormatTest {
  @Test
  void formatsAreFoundByName() {
    assertThat(Format.of("md")).isEqualTo(Format.MARKDOWN);
    for (Format format : Format.values()) assertThat(Format.of(format.id())).isEqualTo(format);
    assertThatThrownBy(() -> Format.of("pdf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no format 'pdf'; there are console, md, html, json, top");
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
}
