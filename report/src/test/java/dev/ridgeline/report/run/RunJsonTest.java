package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Mutator;
import dev.ridgeline.report.roofline.Ceilings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(CONCURRENT)
class RunJsonTest {
  @Test
  void whatIsReadEqualsWhatWasWritten() throws IOException {
    for (long seed = 0; seed < 100; seed++) {
      Run run = SampleRuns.random(seed);
      Run back = read(write(run));
      assertThat(back).as("seed %d", seed).isEqualTo(run);
      assertThat(back.workload().keySet()).containsExactlyElementsOf(run.workload().keySet());
    }
  }

  @Test
  void thisMachineComesBack() throws IOException {
    Run sample = SampleRuns.random(1);
    Run run =
        new Run(
            "",
            "",
            sample.started(),
            sample.command(),
            sample.options(),
            Machine.here(),
            "",
            sample.workload(),
            sample.plan(),
            Map.of(),
            "",
            sample.metrics(),
            List.of(),
            0,
            Ceilings.NONE);
    assertThat(read(write(run))).isEqualTo(run);
  }

  @Test
  void aRunFromBeforeThereWereSeriesUnitsAndCeilingsIsReadWithout() throws IOException {
    Run run = SampleRuns.random(1);
    String json = new String(write(run), StandardCharsets.UTF_8);
    String older =
        json.replaceFirst("(?s),\\s*\"series\" : \\[.*\\}\\s*$", "}")
            .replaceFirst("(?s)\"conditions\" : \\{[^}]*\\},", "");
    assertThat(older).doesNotContain("series").doesNotContain("conditions");
    Run back = read(older.getBytes(StandardCharsets.UTF_8));
    assertThat(back.series()).isEmpty();
    assertThat(back.conditions()).isEmpty();
    assertThat(back.units()).isZero();
    assertThat(back.ceilings()).isEqualTo(Ceilings.NONE);
  }

  @Test
  void everyValueHasALineOfItsOwnForPeople() throws IOException {
    String json = new String(write(SampleRuns.random(1)), StandardCharsets.UTF_8);
    assertThat(json.lines().limit(5))
        .containsExactly(
            "{",
            "  \"ridgeline\" : \"run\",",
            "  \"version\" : 1,",
            "  \"name\" : \"kernels\",",
            "  \"title\" : \"kernels \\u00B7 matmul 128 to 1,024 \\u00B7 2 workers\",");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "version" : 1      | "version" : 7       | written by a newer Ridgeline (version 7; this one reads 1)
          "ridgeline" : "run" | "ridgeline" : "profile" | a Ridgeline profile, not a run
          "cores" : 2        | "cores" : 0         | machine.cores: 0 is below 1
          "cores" : 2        | "cores" : 99999999999 | machine.cores: 99999999999 is too many
          "flags" : [        | "flags" : [1,       | numbers and other things in one list at line
          "flags" : [        | "flags" : [true,    | machine.jvm.flags[0]: must be a text
          "given" : true     | "given" : "yes"     | options[0].given: must be true or false
          "better" : "       | "better" : "NO      | metrics[0].better: 'NO
          "samples" : [      | "samples" : [ ], "x" : [ | metrics[0]:
          "samples" : [      | "samples" : "a", "x" : [ | metrics[0].samples: must be a list of integers
          "plan" : {         | "plan" : { "a" : 1, | plan.a: must be a text
          "plan" : {         | "plan" : { "a" : "1", "a" : "2", | 'a' is there twice at line
          "revision" :       | "revisions" :       | revision: missing
          """)
  void everyFaultIsNamedInOneLine(String from, String to, String message) throws IOException {
    String json = new String(write(SampleRuns.random(5)), StandardCharsets.UTF_8);
    assertThat(json).contains(from);
    int at = json.indexOf(from);
    String damaged = json.substring(0, at) + to + json.substring(at + from.length());
    assertThatThrownBy(() -> read(damaged.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FileException.class)
        .message()
        .startsWith("run.json: " + message)
        .hasLineCount(1);
  }

  @Test
  void damagedFilesAreRefusedOrStillValid() throws IOException {
    byte[] json = write(SampleRuns.random(3));
    int valid = 0;
    for (long seed = 0; seed < 10_000; seed++) {
      try {
        Run run = read(Mutator.mutate(json, seed));
        assertThat(read(write(run))).as("seed %d", seed).isEqualTo(run);
        valid++;
      } catch (FileException e) {
        assertThat(e.getMessage()).as("seed %d", seed).startsWith("run.json: ").hasLineCount(1);
      } catch (Throwable e) {
        fail("seed " + seed, e);
      }
    }
    assertThat(valid).isGreaterThan(100);
  }

  @Test
  void theMedianIsTheMiddle() {
    assertThat(Metric.of("a", "ms", Metric.Better.LOWER, 9, 1, 2).median()).isEqualTo(2);
    assertThat(Metric.of("a", "ms", Metric.Better.LOWER, 4, 1, 2, 9).median()).isEqualTo(3);
    assertThatThrownBy(() -> Metric.of("a", "ms", Metric.Better.LOWER))
        .hasMessage("a has no samples");
    assertThatThrownBy(() -> Metric.of("a", "ms", Metric.Better.LOWER, Double.NaN))
        .hasMessage("a has NaN");
  }

  private static byte[] write(Run run) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RunJson.write(run, out);
    return out.toByteArray();
  }

  private static Run read(byte[] json) throws IOException {
    return RunJson.read("run.json", new ByteArrayInputStream(json));
  }
}
