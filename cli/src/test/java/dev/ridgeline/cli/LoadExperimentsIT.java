package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Experiments about load through the real launcher; what needs time is measured in bench. */
@Execution(CONCURRENT)
class LoadExperimentsIT {
  @TempDir private Path folder;

  @BeforeEach
  void makeTheModel() {
    TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
  }

  private Outcome experiment(String... words) {
    return Outcome.of(
        folder,
        // What is asked here does not depend on how fast it is.
        Map.of("RIDGELINE_JVM_OPTS", "-XX:TieredStopAtLevel=1"),
        Stream.concat(Stream.of(FakeMachine.launcher().toString(), "experiment"), Stream.of(words))
            .toList());
  }

  private Path record() throws IOException {
    try (Stream<Path> records = Files.list(folder.resolve("runs"))) {
      return records.findFirst().orElseThrow();
    }
  }

  @Test
  void everyStrategyHasAPlanOfItsOwnAndItsOverhead() {
    Outcome outcome =
        experiment(
            "strategies",
            "--sizes",
            "1,4",
            "--workers",
            "2",
            "--rounds",
            "1",
            "--json",
            "--",
            "-m",
            "tiny.gguf",
            "--truncate",
            "--iterations",
            "1",
            "--warm-up",
            "0");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    JsonNode study = JsonMapper.shared().readTree(outcome.out());
    Set<JsonNode> plans = new HashSet<>();
    for (JsonNode arm : study.get("arms")) {
      plans.add(arm.get("plan"));
      assertThat(arm.get("plan").get("strategy").asString()).isEqualTo(arm.get("name").asString());
    }
    assertThat(plans).hasSize(3);
    for (JsonNode trial : study.get("trials")) {
      JsonNode metrics = trial.get("metrics");
      for (String figure :
          List.of(
              "embedded",
              "p50",
              "p99",
              "allocated per text",
              "regions per text",
              "tasks per text",
              "dispatch per text",
              "wait per text",
              "spin per text",
              "park per text")) {
        assertThat(metrics.has("calls of 4: " + figure)).as(figure).isTrue();
      }
      // A call of four texts is one region of four groups, and fine has more of them than texts.
      if (trial.get("arm").asString().equals("coarse")) {
        assertThat(metrics.get("calls of 4: regions per text").asDouble()).isEqualTo(0.25);
        assertThat(metrics.get("calls of 4: tasks per text").asDouble()).isEqualTo(1);
      }
    }
    assertThat(study.get("facts").toString()).contains("Change");
    assertThat(study.get("charts").get(0).get("series").size()).isEqualTo(3);
  }

  @Test
  void thePresetRebuildsTheWholeFolder() throws Exception {
    Outcome outcome =
        experiment(
            "strategies",
            "--preset",
            "go",
            "--iterations",
            "1",
            "--",
            "-m",
            "tiny.gguf",
            "--truncate",
            "--warm-up",
            "0");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("32 texts, 8 workers", "1 iteration instead of 100");
    Path profiles = record().resolve("profiles");
    for (String file :
        List.of("README.md", "PROFILE_ANALYSIS.md", "PROFILE_ANALYSIS_DETAILED.md")) {
      assertThat(profiles.resolve(file)).content().contains("8 workers", "strategies --preset go");
    }
    assertThat(profiles.resolve("README.md"))
        .content()
        .containsPattern("\\| current \\| 1 \\| 32 \\| [\\d.]+ \\| [\\d.]+ \\|")
        .containsPattern("\\| workspace \\| [\\d.]+ [kMG]?B \\| [\\d.]+ [kMG]?B \\|")
        .contains("| 1 | `--strategy fine` |", "| 2–15 | `--strategy packed` |")
        .contains("| 16 and more | `--strategy coarse` |");
    for (String side : List.of("current", "optimized")) {
      for (String file :
          List.of(
              "cpu.pprof",
              "mem.pprof",
              "cpu_top30.txt",
              "mem_top30.txt",
              "mem_alloc_space.txt",
              "mem_alloc_objects.txt",
              "run.log")) {
        assertThat(profiles.resolve(side).resolve(file)).isNotEmptyFile();
      }
    }
    assertThat(profiles.resolve("current/run.log")).content().contains("strategy: fine");
    assertThat(profiles.resolve("optimized/run.log")).content().contains("strategy: coarse");
    boolean go =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "go")));
    assumeTrue(go, "go is not installed (package golang-go)");
    for (String side : List.of("current")) {
      for (String file : List.of("cpu.pprof", "mem.pprof")) {
        Outcome top =
            Outcome.of(
                folder,
                Map.of(),
                List.of(
                    "go",
                    "tool",
                    "pprof",
                    "-top",
                    profiles.resolve(side).resolve(file).toString()));
        assertThat(top.code()).as(top.err()).isZero();
        assertThat(top.out()).contains("flat%");
      }
    }
  }

  @Test
  void oneProductIsHeldAgainstAnotherTypeWithoutAModel() {
    Outcome outcome =
        experiment(
            "quantization",
            "--shape",
            "256x64",
            "--types",
            "q4_k,q8_0",
            "--against",
            "f16",
            "--rounds",
            "1",
            "--json");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    JsonNode study = JsonMapper.shared().readTree(outcome.out());
    assertThat(study.get("headline").asString())
        .matches("1x256x64, time against f16: q4_k .* %.*; q8_0 .* %.*");
    JsonNode rows = study.get("tables").get(0).get("rows");
    assertThat(rows.size()).isEqualTo(3);
    assertThat(rows.get(0).get("cells").get(0).asString()).isEqualTo("f16");
    assertThat(rows.get(1).get("cells").get(1).asString())
        .as("4.5 bits for each of 16,384")
        .isEqualTo("9.2 kB");
  }

  @Test
  void timeIsToldByDepth() {
    TinyDecoder.write(folder.resolve("decoder.gguf"));
    Outcome outcome =
        experiment(
            "context",
            "--depths",
            "3",
            "--rounds",
            "1",
            "--cache-types",
            "f16",
            "--json",
            "--",
            "-m",
            "decoder.gguf",
            "--iterations",
            "1",
            "--warm-up",
            "0");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    JsonNode study = JsonMapper.shared().readTree(outcome.out());
    assertThat(study.get("headline").asString()).contains("for every 1,000 positions");
    assertThat(study.get("tables").get(0).get("rows").size()).isEqualTo(3);
  }

  @Test
  void whatIsWrongIsOneLine() {
    for (String[] words :
        List.of(
            new String[] {"strategies", "--sizes", "1,x"},
            new String[] {"strategies", "--sizes", "0"},
            new String[] {"strategies", "--sizes", "31,37"},
            new String[] {"strategies", "--strategies", "fine"},
            new String[] {"strategies", "--strategies", "fine,quick"},
            new String[] {"strategies", "--iterations", "3"},
            new String[] {"strategies", "--preset", "go", "--sizes", "1"},
            new String[] {"context", "--depths", "2"},
            new String[] {"context", "--cache-types", "f8"},
            new String[] {"scaling", "--workers", "1,,2"})) {
      Answer answer =
          Answer.of(
              Stream.concat(Stream.of("experiment"), Stream.of(words)).toArray(String[]::new));
      assertThat(answer.code()).as(String.join(" ", words)).isEqualTo(2);
      assertThat(answer.err()).as(String.join(" ", words)).hasLineCount(1);
    }
  }
}
