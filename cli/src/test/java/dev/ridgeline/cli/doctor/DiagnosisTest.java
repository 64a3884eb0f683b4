package dev.ridgeline.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DiagnosisTest {
  private static final Diagnosis DIAGNOSIS =
      new Diagnosis(
          List.of(
              new Diagnosis.Section(
                  "clock",
                  List.of(
                      Check.of("clock.nanoTime", "nanoTime").ok(25.1, "25.1 ns per reading"),
                      Check.of("clock.source", "source").problem("hpet", "hpet: slow", "use tsc"))),
              new Diagnosis.Section(
                  "gpu", List.of(Check.of("gpu.cuda", "CUDA").note(List.of(), "none")))),
          1_500_000_000);

  @Test
  void textShowsMarksAndUnderEachProblemItsFix() {
    var out = new StringWriter();
    var text =
        new DiagnosisText(new PrintWriter(out, true), new Terminal(false, false, false, 100));
    DIAGNOSIS.sections().forEach(text::section);
    text.summary(DIAGNOSIS);
    assertThat(out.toString())
        .isEqualTo(
            """
            clock
              ✓ nanoTime        25.1 ns per reading
              ✗ source          hpet: slow
                                fix: use tsc

            gpu
              – CUDA            none

            1 problem, no warnings; examined in 1.5 s
            """);
  }

  @Test
  void jsonHasAVersionCountsAndOneEntryPerCheck() {
    JsonNode json = JsonMapper.shared().readTree(DiagnosisJson.of(DIAGNOSIS));
    assertThat(json.propertyNames())
        .containsExactly(
            "schema", "version", "ridgeline", "seconds", "problems", "warnings", "checks");
    assertThat(json.get("problems").asInt()).isEqualTo(1);
    assertThat(json.at("/checks/clock.source").toString())
        .isEqualTo(
            """
            {"status":"problem","value":"hpet","text":"hpet: slow","fix":"use tsc"}\
            """);
    assertThat(json.at("/checks/clock.nanoTime/value").asDouble()).isEqualTo(25.1);
    assertThat(json.at("/checks/gpu.cuda/value").isArray()).isTrue();
  }

  @Test
  void aProbeThatFailsIsAWarningAndNotTheEnd() {
    var section =
        Diagnosis.Section.of(
            "broken",
            () -> {
              throw new NoClassDefFoundError("gone");
            });
    assertThat(section.checks()).extracting(Check::status).containsExactly(Check.Status.WARNING);
    assertThat(section.checks().getFirst().text()).contains("gone");
  }
}
