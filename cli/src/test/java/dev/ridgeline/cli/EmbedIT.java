package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.line.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts into vectors as a script does it. */
@Execution(CONCURRENT)
class EmbedIT {
  @TempDir private Path folder;

  @BeforeEach
  void makeTheModel() {
    TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
  }

  @Test
  void aPipeOfJsonLinesBecomesAPipeOfVectors() {
    Outcome outcome =
        bash(
            """
            printf '{"text":"caf\\xc3\\xa9"}\\n{"text":"b"}\\n' |
              ridgeline embed -m tiny.gguf --input - --field text --format jsonl
            """);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out().lines().toList())
        .hasSize(2)
        .allMatch(line -> line.matches("\\{\"index\":[01],\"embedding\":\\[[-0-9.E,]+]}"));
  }

  @Test
  void theFirstThingThatPeopleTryRanksTheLines() {
    Outcome outcome =
        bash(
            """
            printf 'zzzz 9\nfast networks\r\nbread\n' >docs.txt
            ridgeline embed -m tiny.gguf --similarity 'fast networks' --input docs.txt -k 2
            RIDGELINE_JVM_OPTS='-Dridgeline.terminal=out -Dridgeline.columns=17' \\
              ridgeline embed -m tiny.gguf --similarity 'fast networks' --input docs.txt -k 1
            printf '{"id":"a","text":"9"}\n{"id":"b","text":"bread"}\n' |
              ridgeline embed -m tiny.gguf --similarity bread --input - --field text \\
                --format jsonl -k 1
            """);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    List<String> lines = outcome.out().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst()).isEqualTo("2   1.0000  fast networks");
    assertThat(lines.get(1)).matches("[13]  ( |-)0\\.\\d{4}  (zzzz 9|bread)");
    assertThat(lines.get(2)).isEqualTo("2   1.0000  fast…");
    assertThat(lines.get(3))
        .isEqualTo(
            "{\"index\":1,\"line\":2,\"score\":1.0,\"text\":\"bread\",\"fields\":{\"id\":\"b\"}}");
  }

  @Test
  void bytesAreWrittenAsTheyAre() throws IOException {
    Outcome outcome = bash("ridgeline embed -m tiny.gguf a b --format npy >vectors.npy");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(Files.size(folder.resolve("vectors.npy"))).isEqualTo(128 + 2 * 32 * 4);
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    refused("printf 'good\\nb\\xe9d\\n' | ridgeline embed -m tiny.gguf", "not UTF-8");
    refused("ridgeline embed -m tiny.gguf $'b\\xe9d'", "argument 4 is not UTF-8");
  }

  @Test
  void aSignalLeavesTheOldFileAndNothingElse() {
    Outcome outcome =
        bash(
            """
            mkfifo texts; echo precious >vectors
            '%s' embed -m tiny.gguf --input texts -o vectors --force & pid=$!
            exec 3>texts
            until ls -A | grep -q tmp-; do sleep 0.05; done
            kill -TERM $pid; wait $pid
            echo $? $(cat vectors) $(ls -A)
            """
                .formatted(FakeMachine.launcher()));
    assertThat(outcome.out()).isEqualTo("143 precious texts tiny.gguf vectors\n");
  }

  @Test
  void kernelsThatThereAreNoneOfAreOneLine() {
    Outcome outcome =
        bash("RIDGELINE_JVM_OPTS=-Dridgeline.kernels=fast ridgeline embed -m tiny.gguf a");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo("ridgeline: -Dridgeline.kernels=fast: say scalar, vector or assembled\n");
    Outcome doctor = bash("RIDGELINE_JVM_OPTS=-Dridgeline.kernels=fast ridgeline doctor");
    assertThat(doctor.code()).isEqualTo(2);
    assertThat(doctor.err()).isEqualTo(outcome.err());
    Outcome width = bash("RIDGELINE_JVM_OPTS=-Dridgeline.lanes=5 ridgeline embed -m tiny.gguf a");
    assertThat(width.code()).isEqualTo(2);
    assertThat(width.err()).isEqualTo("ridgeline: -Dridgeline.lanes=5: say 4, 8 or 16\n");
  }

  @Test
  void slowerKernelsThanTheMachineHasAreNeverSilent() {
    String slow = "RIDGELINE_JVM_OPTS=-Dridgeline.kernels=scalar ridgeline embed -m tiny.gguf a";
    Outcome outcome = bash(slow);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err())
        .isEqualTo(
            "ridgeline: slower kernels than this machine has: leave out"
                + " -Dridgeline.kernels=scalar\n");
    assertThat(bash(slow + " --quiet").err()).isEmpty();
  }

  @Test
  void digitsAreTheSameEverywhere() {
    Outcome outcome = bash("RIDGELINE_JVM_OPTS=-Duser.language=ar ridgeline inspect tiny.gguf");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).containsPattern("[0-9]").doesNotContainPattern("[\\u0660-\\u0669]");
  }

  /** A limit on the size of files fails as a full disk does, in the middle of a write. */
  @Test
  void aFullDiskUnderTheCacheIsOneLineAndLeavesNoModel() throws IOException {
    bash("ridgeline --version"); // what the first start prepares must not meet the limit
    refused("ulimit -f 4096; ridgeline embed -m synth:minilm-l6:f32 text", "File too large");
    try (var files = Files.walk(folder.resolve("cache"))) {
      assertThat(files.filter(Files::isRegularFile))
          .allMatch(file -> file.startsWith(folder.resolve("cache/locks")));
    }
  }

  @Test
  void aFullDiskUnderTheOutputLeavesTheOldFile() throws IOException {
    Path old = Files.writeString(folder.resolve("vectors.csv"), "precious");
    refused(
        "for i in $(seq 2000); do echo text $i; done >texts.txt; ridgeline --version >version;"
            + " ulimit -f 100; ridgeline embed -m tiny.gguf --input texts.txt --format csv"
            + " -o vectors.csv --force",
        "File too large");
    assertThat(old).hasContent("precious");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("."));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "jsonl", "csv", "npy"})
  void aClosedStandardOutputIsOneLine(String format) {
    refused(
        "ridgeline embed -m tiny.gguf text --format " + format + " >&-",
        "cannot write to standard output");
  }

  @Test
  void aReaderThatLeftEndsItQuietly() {
    Outcome outcome =
        bash("exec 3> >(exec <&-); wait $!; ridgeline embed -m tiny.gguf text --format csv >&3");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isEqualTo(ExitCode.READER_LEFT);
  }

  /** A variable that is set for all commands is no option of this one. */
  @Test
  void aBareProfileEmbedsTheBundledTexts() {
    Outcome embed =
        bash("ridgeline profile --texts 8 --iterations 1 --warm-up 0 --workers 1 --runs runs");
    assertThat(embed.code()).as(embed.err()).isZero();
    assertThat(embed.out()).contains(" · 8 texts · ", "texts/s", "layer 0–5", "ffn › ");
    Outcome kernels = bash("ridgeline profile --deep --filter softmax --budget 0.1 --runs runs");
    assertThat(kernels.code()).as(kernels.err()).isZero();
    assertThat(kernels.out()).startsWith("kernels, deep").doesNotContain("--cache");
  }

  private void refused(String script, String why) {
    Outcome outcome = bash(script);
    assertThat(outcome.err()).hasLineCount(1).startsWith("ridgeline: ").contains(why);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  private Outcome bash(String script) {
    var environment = new HashMap<String, String>();
    environment.put("RIDGELINE_NO_BUILD", "1");
    environment.put("RIDGELINE_CACHE", folder.resolve("cache").toString());
    environment.put("RIDGELINE_JAVA", System.getProperty("java.home"));
    String launcher = "ridgeline() { '" + FakeMachine.launcher() + "' \"$@\"; }\n";
    return Outcome.ofShell(folder, environment, launcher + script);
  }
}
