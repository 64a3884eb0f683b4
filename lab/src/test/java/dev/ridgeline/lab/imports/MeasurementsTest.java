package dev.ridgeline.lab.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(CONCURRENT)
class MeasurementsTest {
  @TempDir private Path folder;

  private Path sample(String name) throws IOException {
    try (var in = MeasurementsTest.class.getResourceAsStream(name)) {
      return Files.write(folder.resolve(name), in.readAllBytes());
    }
  }

  private List<Run> runs(String text) throws IOException {
    return Measurements.read(Files.writeString(folder.resolve("a.json"), text)).runs();
  }

  @Test
  void eachTestOfLlamaBenchIsARunWithItsRevisionAndProcessor() throws IOException {
    Measurements read = Measurements.read(sample("llama-bench.json"));
    assertThat(read.tool()).isEqualTo("llama-bench");
    assertThat(read.runs()).hasSize(2);
    Run prefill = read.runs().getFirst();
    assertThat(prefill.title()).isEqualTo("llama 1B Q8_0 · pp512 · CPU · 8 threads");
    assertThat(prefill.started()).isEqualTo(Instant.parse("2026-11-14T11:58:50Z"));
    assertThat(prefill.revision()).isEqualTo("8cf427ff");
    assertThat(prefill.machine().cpu()).isEqualTo("AMD Ryzen 7 7800X3D 8-Core Processor");
    assertThat(prefill.workload())
        .containsEntry("prompt tokens", "512")
        .containsEntry("model", "llama 1B Q8_0");
    assertThat(prefill.plan()).containsEntry("n_batch", "2048").containsEntry("n_threads", "8");
    assertThat(prefill.metrics())
        .containsExactly(Metric.of("prefill", "tokens/s", Better.HIGHER, 104.5, 104.1, 103.9));
    assertThat(read.runs().getLast().metrics().getFirst().name()).isEqualTo("decode");
  }

  @Test
  void linesOfObjectsReadAsTheirListDoes() throws IOException {
    List<Run> listed = Measurements.read(sample("llama-bench.json")).runs();
    String lines =
        Files.readString(folder.resolve("llama-bench.json"))
            .replaceAll("\\s*\\n\\s*", " ")
            .replaceFirst("^\\[", "")
            .replaceFirst("]\\s*$", "")
            .replace("}, {", "}\n{");
    assertThat(runs(lines)).isEqualTo(listed);
  }

  @Test
  void aRealFileOfJmhTellsItsJvmAndEveryIteration() throws IOException {
    Path file = sample("jmh.json");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-11-16T11:41:02.5Z")));
    List<Run> runs = Measurements.read(file).runs();
    assertThat(runs).hasSize(2);
    Run scope = runs.getLast();
    assertThat(scope.title()).isEqualTo("ScopeCost.scope · level TIME");
    assertThat(scope.machine().jvm().version()).isEqualTo("25.0.3");
    assertThat(scope.started()).isEqualTo(Instant.parse("2026-11-16T11:41:02Z"));
    assertThat(scope.conditions()).containsKey("started");
    assertThat(scope.workload()).containsEntry("parameter level", "TIME");
    Metric time = scope.metrics().getFirst();
    assertThat(time.name()).isEqualTo("time of an operation");
    assertThat(time.unit()).isEqualTo("ns/op");
    assertThat(time.better()).isEqualTo(Better.LOWER);
    assertThat(time.samples()).hasSize(3);
    assertThat(scope.metrics())
        .filteredOn(metric -> metric.name().equals("gc.alloc.rate.norm"))
        .singleElement()
        .returns(Better.LOWER, Metric::better);
  }

  @Test
  void aHistogramOfJmhIsTheMeanOfEachIteration() throws IOException {
    Run run = Measurements.read(sample("jmh-sampled.json")).runs().getFirst();
    assertThat(run.metrics().getFirst().samples()).containsExactly(12.5, 40.0);
  }

  @Test
  void bothSchemasOfHyperfineAreRead() throws IOException {
    Run first = Measurements.read(sample("hyperfine.json")).runs().getFirst();
    assertThat(first.metrics().getFirst())
        .isEqualTo(Metric.of("wall time", "s", Better.LOWER, 0.0211, 0.0212, 0.0213));
    assertThat(first.command()).containsExactly("sleep 0.02");
    assertThat(first.workload()).containsEntry("parameter t", "0.02");
    assertThat(first.conditions()).containsEntry("failed", "2 of 3 exited with a failure");
    Run second = Measurements.read(sample("hyperfine-2.json")).runs().getFirst();
    assertThat(second.title()).isEqualTo("one second");
    assertThat(second.started()).isEqualTo(Instant.parse("2026-11-10T09:00:00Z"));
    assertThat(second.machine().os()).isEqualTo("linux x86_64");
    assertThat(second.metrics())
        .containsExactly(
            Metric.of("wall time", "s", Better.LOWER, 1.0, 1.01),
            Metric.of("peak memory", "B", Better.LOWER, 2048, 2049));
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama-bench.json", "jmh.json", "hyperfine.json", "hyperfine-2.json"})
  void nothingIsClaimedThatTheFileDoesNotTell(String name) throws IOException {
    for (Run run : Measurements.read(sample(name)).runs()) {
      assertThat(run.machine().cores()).isEqualTo((int) Machine.UNKNOWN);
      assertThat(run.machine().memoryBytes()).isEqualTo(Machine.UNKNOWN);
      assertThat(run.machine().microarchitecture()).isEmpty();
      if (!name.equals("llama-bench.json")) assertThat(run.machine().cpu()).isEmpty();
      if (!name.equals("jmh.json")) assertThat(run.machine().jvm().version()).isEmpty();
      ByteArrayOutputStream kept = new ByteArrayOutputStream();
      RunJson.write(run, kept);
      assertThat(RunJson.read("run.json", new ByteArrayInputStream(kept.toByteArray())))
          .isEqualTo(run);
    }
  }

  @Test
  void whatIsNoneOfTheseIsRefusedInOneLine() {
    refused("", "is empty");
    refused("7", "not a JSON object");
    refused("[]", "holds no measurements of llama-bench");
    refused("{\"a\": 1}", "holds no measurements of llama-bench");
    refused("{\"results\": []}", "holds no result");
    refused(
        "[{\"benchmark\": \"a\", \"mode\": \"avgt\", \"primaryMetric\": {}}]", "holds no number");
    refused(
        "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"times\": [1, \"b\"]}]}",
        "times: must be a list of numbers");
    refused("{\"results\": [{\"command\": \"a\", \"mean\": 1", "cut off");
    refused(
        "{\"model_type\": \"a\", \"n_gen\": 1, \"avg_ts\": 1, \"test_time\": \"noon\"}",
        "test_time: 'noon' is not a UTC time");
    String bench = "{\"model_type\": \"a\", \"n_gen\": 1, \"avg_ts\": 1, \"samples_ts\": ";
    refused(bench + "[\"NaN\"]}", "samples_ts: holds no number");
    refused(bench + "[-5, 0, 1]}", "samples_ts: -5.0 is no speed");
    refused(
        "{\"model_type\": \"a\", \"n_gen\": 1, \"avg_ts\": 1}\n{\"b\": 1}",
        "not of llama-bench, as what stands before it");
  }

  private void refused(String text, String why) {
    assertThatThrownBy(() -> runs(text))
        .as(text)
        .isInstanceOf(FileException.class)
        .hasMessageContaining(why)
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "llama-bench.json",
        "jmh.json",
        "jmh-sampled.json",
        "hyperfine.json",
        "hyperfine-2.json"
      })
  void aDamagedFileIsReadOrRefusedAndNothingElse(String name) throws IOException {
    byte[] whole = Files.readAllBytes(sample(name));
    String[] words = {"null", "[]", "{}", "\"NaN\"", "-1", "1e999", "true", "\"\"", "[[]]", "0"};
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      byte[] bytes = whole.clone();
      if (random.nextBoolean()) {
        for (int i = 0; i < 3; i++) bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      } else {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String[] parts = text.split("(?<=[:\\[,]) *(?=[^\\s])", -1);
        int hit = 1 + random.nextInt(parts.length - 1);
        String word = words[random.nextInt(words.length)];
        parts[hit] = parts[hit].replaceFirst("^(\"[^\"]*\"|[^,\\]}\\s]+)", word);
        bytes = String.join("", parts).getBytes(StandardCharsets.UTF_8);
      }
      Path file = Files.write(folder.resolve("damaged.json"), bytes);
      assertThatCode(
              () -> {
                try {
                  Measurements.read(file);
                } catch (FileException e) {
                  assertThat(e.getMessage()).hasLineCount(1);
                }
              })
          .as("seed " + seed)
          .doesNotThrowAnyException();
    }
  }
}
