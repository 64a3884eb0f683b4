package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.async.HardwareCounters;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated("counts what scopes allocate")
class ProfileCommandTest {
  @TempDir private Path folder;

  /** Two small kernels for a moment. */
  private Answer profile(Object... more) {
    List<Object> args =
        new ArrayList<>(
            List.of("profile", "kernels", "--runs", folder.resolve("runs"), "--budget", "0.02"));
    args.addAll(Arrays.asList(more));
    if (!args.contains("--allocation")) args.addAll(List.of("--filter", "matmul 128,add 1M"));
    return Answer.of(args.toArray());
  }

  private RunDirectory last() {
    return new Runs(folder.resolve("runs")).find("last");
  }

  @Test
  void aRunShowsTheAnswerAndEndsWithTheFileToOpen() {
    Answer answer = profile();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .startsWith("kernels, standard · 2 kernels, f32 · ")
        .contains("matmul 128", "add 1M", "GFLOP/s");
    assertThat(answer.out().lines()).hasSizeLessThanOrEqualTo(26);
    String page = last().path().resolve("report.html").toString();
    assertThat(answer.out().strip()).endsWith("\n        " + page);
    assertThat(profile("--full").out().strip())
        .endsWith("\n          " + last().path().resolve("report.html"));
  }

  @Test
  void aRunLeavesItsDirectoryWithEveryFile() throws IOException {
    profile("--seed", "9", "--name", "first");
    RunDirectory run = last();
    assertThat(run.name()).endsWith("-first");
    try (var files = Files.list(run.path())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "run.json", "profile.json", "run.log", "report.html", "report.md", "top.txt");
    }
    assertThat(run.run().title()).endsWith("seed 9");
    assertThat(run.run().outputDigest()).startsWith("sha256:");
    assertThat(run.run().metrics()).isNotEmpty();
    assertThat(run.run().workload()).containsEntry("level", "allocation");
    assertThat(run.run().command()).startsWith("ridgeline", "profile");
    assertThat(Files.readString(run.path().resolve("run.log")))
        .contains("warming up 1/2 matmul 128", "measuring, round 5/5");
    CallTree tree = run.profile().tree();
    assertThat(tree.find("kernels", "matmul 128").calls()).isGreaterThanOrEqualTo(5);
    assertThat(tree.find("kernels", "matmul 128").allocatedBytes()).isZero();
  }

  @Test
  void onlyTheAskedFormatsAreDrawn() throws IOException {
    profile("--formats", "top");
    try (var files = Files.list(last().path())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("run.json", "profile.json", "run.log", "top.txt");
    }
  }

  @Test
  void allFormatsRecordWhatTheyNeed() throws IOException {
    profile("--formats", "all");
    assertThat(last().run().workload()).containsEntry("level", "trace");
    try (var files = Files.list(last().path())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("cpu.pb.gz", "alloc.pb.gz", "profile.speedscope.json", "stacks.collapsed")
          .contains("flame.svg", "trace.perfetto-trace", "trace.json")
          .contains("samples.pb.gz", "recording.jfr");
    }
  }

  @Test
  void sampledStacksSayWhatAScopeSpendsItsTimeIn() {
    Path runs = folder.resolve("runs");
    Answer answer =
        Answer.of(
            "profile",
            "kernels",
            "--full",
            "--sample",
            "--runs",
            runs,
            "--budget",
            "1.5",
            "--filter",
            "matmul 128");
    assertThat(answer.err()).isEmpty();
    Samples samples = last().profile().samples();
    assertThat(samples.source()).isEqualTo(Samples.Source.best());
    assertThat(samples.cpu()).anyMatch(row -> row.lane() >= 0);
    assertThat(answer.out()).contains("by CPU samples of its own code", "% FloatMultiplier.");
    assertThat(last().path().resolve("recording.jfr")).doesNotExist();
  }

  @Test
  void asyncProfilerSamplesWhereItCanBeLoadedAndTheRunSaysSo() {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    Path runs = folder.resolve("runs");
    Answer answer =
        Answer.of(
            "profile",
            "kernels",
            "--full",
            "--sampler",
            "async",
            "--runs",
            runs,
            "--budget",
            "1.5",
            "--filter",
            "matmul 128");
    assertThat(answer.err()).isEmpty();
    Samples samples = last().profile().samples();
    assertThat(samples.source()).isEqualTo(Samples.Source.ASYNC);
    assertThat(samples.cpu()).anyMatch(row -> row.lane() >= 0);
    assertThat(last().run().plan()).containsEntry("sampler", samples.engine());
    assertThat(samples.engine()).startsWith("async-profiler ");
    assertThat(answer.out())
        .contains("Sampled by " + samples.engine())
        .containsPattern("matmul 128 › matmul +\\d+ % ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--sampler=asink                | is none of jfr, async",
        "--sampler=async --event=misses | --event misses: cpu, cycles, instructions, cache-misses,",
        "--event=cycles                 | --event cycles: needs --sampler async",
        "--sampler=async --sample=none  | --sampler: --sample=none leaves it nothing to do",
        "--sampler=async --sample=alloc --event=cycles | --event cycles: needs --sample=cpu",
      })
  void aBadWayToSampleIsOneLine(String options, String why) {
    Answer answer = profile((Object[]) options.strip().split(" "));
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains(why.strip()).hasLineCount(1);
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  @Test
  void aCounterThatThisMachineLacksIsOneLine() {
    assumeTrue(AsyncLibrary.isThere(), "async-profiler has no library for this platform");
    assumeTrue(HardwareCounters.refusal() != 0, "this machine has hardware counters");
    Answer answer = profile("--sampler", "async", "--event", "cache-misses");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .startsWith("ridgeline: no samples by cache misses: ")
        .endsWith("why: ridgeline doctor\n")
        .hasLineCount(1);
    assertThat(new Runs(folder.resolve("runs")).list()).isEmpty();
  }

  @Test
  void jsonIsAllThatIsPrinted() {
    Answer answer = profile("--json", "--top", "2");
    assertThat(answer.err()).isEmpty();
    JsonNode json = JsonMapper.shared().readTree(answer.out());
    assertThat(json.get("run").asString()).isEqualTo(last().path().toString());
    assertThat(json.get("outputDigest").asString()).isEqualTo(last().run().outputDigest());
    assertThat(json.get("hot").size()).isEqualTo(2);
    assertThat(json.get("metrics").get(0).get("samples").size()).isEqualTo(5);
    assertThat(json.get("wrong").size()).isZero();
  }

  @Test
  void quietPrintsOnlyWhereTheRunIs() {
    assertThat(profile("--quiet").out()).isEqualTo(last().path() + "\n");
  }

  @Test
  void theLevelDecidesWhatIsRecorded() {
    profile("--level", "time");
    assertThat(last().profile().level()).isEqualTo(Level.TIME);
    assertThat(last().profile().tree().find("kernels").allocatedBytes()).isEqualTo(Profile.UNKNOWN);
    profile("--level", "TRACE");
    assertThat(last().profile().lanes()).anyMatch(lane -> lane.trace().size() > 0);
  }

  @Test
  void theAllocationModeComparesBothVariants() {
    Answer answer = profile("--allocation");
    assertThat(answer.code()).isZero();
    assertThat(answer.out()).contains("matmul backward, saved by reuse");
    assertThat(last().run().conditions().get("training step, allocating"))
        .startsWith("59.0 MB expected, 59.0 MB measured outside the heap; ")
        .contains("collection");
    assertThat(last().run().conditions().get("training step, reusing"))
        .startsWith("1.2 MB expected, 1.2 MB measured outside the heap; ");
  }

  @Test
  void anOptionThatReachedNothingIsCalledOut() {
    Answer answer = profile("--allocation", "--workers", "2");
    assertThat(last().run().options())
        .filteredOn(option -> option.given() && !option.read())
        .extracting(Run.Option::name)
        .containsExactly("--workers");
    assertThat(answer.out()).contains("--workers 2 was given, but nothing read it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fft                        | unknown workload 'fft'; there is embed, generate, train, kernels
          --depe                     | unknown option '--depe'
          --deep --standard          | one mode at a time: --standard or --deep
          --level off                | --level off: time, allocation or trace
          --level some               | --level some: time, allocation or trace
          --budget 1d                | --budget 1d: more than 0 seconds
          --budget 0x1p3             | --budget 0x1p3: more than 0 seconds
          --formats ,                | --formats ,: names no format
          --name a/b                 | --name a/b: at most 60 letters
          --allocation --level time  | --level time: kernels-allocation needs allocation at least
          --budget 0                 | --budget 0: more than 0 seconds
          --budget NaN               | --budget NaN: more than 0 seconds
          kernels --workers 0        | --workers 0: at least 1
          --top 0                    | --top 0: at least 1
          --formats png              | --formats: no format 'png'; there are console, md, html
          --formats console          | --formats: console is printed, not written to a file
          --formats chrome --level time | --formats: chrome needs --level trace
          --formats jfr --sample alloc | --formats: jfr needs --sample cpu
          --sample=gpu               | Invalid value for option '--sample'
          --seed many                | Invalid value for option '--seed'
          --trace-limit 0            | --trace-limit 0: at least 1
          --max-nodes 0              | --max-nodes is for your own program
          generate --input f         | --input belongs to embed
          generate --texts 5         | --texts belongs to embed
          generate --deep            | --deep belongs to kernels
          generate --budget -1       | --budget belongs to kernels
          generate --trace-limit -1  | --trace-limit -1: at least 1
          generate --scope a.b       | --scope is for your own program
          embed --tokens 3           | --tokens belongs to generate
          embed --seed 3             | --seed belongs to generate and kernels
          kernels --model f          | --model belongs to embed and generate
          """)
  void aBadQuestionIsOneLineAndLeavesNothing(String words, String reason) {
    List<Object> args = new ArrayList<>(List.of("profile", "--runs", folder.resolve("runs")));
    args.addAll(Arrays.asList(words.split(" ")));
    Answer answer = Answer.of(args.toArray());
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: " + reason).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    assertThat(folder.resolve("runs")).doesNotExist();
    assertThat(Profiler.running()).isFalse();
  }

  @Test
  void anEmptyPatternOfScopesIsRefused() {
    Answer answer =
        Answer.of("profile", "--runs", folder.resolve("runs"), "--scope", "", "--", "java", "X");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("ridgeline: --scope '': is empty\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--filter", "--name", "--formats", "--level", "--budget"})
  void anEmptyValueIsRefused(String option) {
    Answer answer = Answer.of("profile", "--runs", folder.resolve("runs"), option, "");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("ridgeline: " + option + " '': is empty\n");
    Answer nowhere = Answer.of("profile", "--runs", "");
    assertThat(nowhere.err()).isEqualTo("ridgeline: --runs '': is empty\n");
  }

  @Test
  void theRunHasTheNameThatWasGiven() {
    assertThat(profile("--name", "größe").err()).isEmpty();
    assertThat(last().name()).endsWith("-größe");
    assertThat(last().run().name()).isEqualTo("größe");
  }

  @Test
  void aFilterThatFitsNothingListsTheKernels() {
    Answer answer =
        Answer.of("profile", "kernels", "--runs", folder.resolve("runs"), "--filter", "conv");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .startsWith("ridgeline: no kernel matches 'conv'; standard has matmul 128,")
        .hasLineCount(1);
  }

  @Test
  void aFileInPlaceOfTheRunsFolderIsRefusedBeforeAnythingRuns() throws IOException {
    Files.writeString(folder.resolve("runs"), "not a folder");
    Answer answer = profile();
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: ").contains("runs").hasLineCount(1);
    assertThat(Files.readString(folder.resolve("runs"))).isEqualTo("not a folder");
  }

  @Test
  void aFolderThatCannotBeWrittenIsRefused() {
    Answer answer = Answer.of("profile", "kernels", "--runs", "/proc/ridgeline-runs");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: /proc/ridgeline-runs").hasLineCount(1);
  }

  @Test
  void aRunThatIsBrokenOffLeavesNothing() throws Exception {
    Path runs = folder.resolve("runs");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path").replace("::", File.pathSeparator),
                "-Dridgeline.terminal=err",
                "dev.ridgeline.cli.Main",
                "profile",
                "kernels",
                "--filter",
                "matmul",
                "--budget",
                "60",
                "--runs",
                runs.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      // From then on it knows what to tidy up.
      for (int i = 0; i < 600 && !said().contains("warming up"); i++) Thread.sleep(50);
      assertThat(hasEntries(runs)).as(said()).isTrue();
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(128 + 15);
      assertThat(hasEntries(runs)).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  private static boolean hasEntries(Path runs) throws IOException {
    if (!Files.isDirectory(runs)) return false;
    try (var entries = Files.list(runs)) {
      return entries.findAny().isPresent();
    }
  }
}
