package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training as a user does it, and what a killed one has lost: nothing. */
class TrainIT {
  private static final int STEPS = 1_000;

  /** A training that nobody disturbed. */
  @TempDir private static Path whole;

  @TempDir private Path folder;

  @BeforeAll
  static void train() throws IOException {
    write(whole);
    Outcome outcome = bash(whole, "\"$ridgeline\" train -c tiny.json --quiet");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).isEqualTo("trained/tiny/tiny.gguf\n");
  }

  @BeforeEach
  void write() throws IOException {
    write(folder);
  }

  private static void write(Path folder) throws IOException {
    TinyTraining.write(folder, STEPS);
    Files.writeString(
        folder.resolve("tiny.json"),
        Files.readString(folder.resolve("tiny.json"))
            .replaceAll("\"every\": \\d+", "\"every\": 500")
            .replace("\"checkpoint\": {\"every\": 500}", "\"checkpoint\": {\"every\": 50}"));
  }

  @Test
  void whatIsKilledAndResumedEndsWithTheSameBits() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      Outcome killed =
          bash(
              """
              "$ridgeline" train -c tiny.json --out killed --resume --quiet &
              until ls killed/checkpoints/*.checkpoint >ls 2>/dev/null; do sleep 0.05; done
              sleep 0.%03d
              kill -9 $! 2>/dev/null
              wait $!
              """
                  .formatted(random.nextInt(500)));
      assertThat(killed.code()).as("seed %d: %s", seed, killed.err()).isIn(0, 128 + 9);
    }
    Outcome resumed = bash("\"$ridgeline\" train -c tiny.json --out killed --resume --workers 1");
    assertThat(resumed.code()).as("seed %d: %s", seed, resumed.err()).isZero();
    assertThat(folder.resolve("killed/tiny.gguf"))
        .as("seed %d", seed)
        .hasSameBinaryContentAs(whole.resolve("trained/tiny/tiny.gguf"));
    Outcome generated =
        bash("\"$ridgeline\" generate -m killed/tiny.gguf -p 'the quick' -n 9 --temperature 0");
    assertThat(generated.code()).as(generated.err()).isZero();
    assertThat(generated.out()).as("it has learnt its one sentence").startsWith(" brown");
  }

  /** A limit on the size of files is a full disk to whoever writes one. */
  @Test
  void aDiskThatIsFullLosesNothing() throws IOException {
    Outcome full =
        bash(
            """
            "$ridgeline" train -c tiny.json --out full --quiet &
            until ls full/checkpoints/*.checkpoint >ls 2>/dev/null; do sleep 0.05; done
            kill -9 $!
            wait $! 2>/dev/null
            ulimit -f 64
            "$ridgeline" train -c tiny.json --out full --resume 2>said
            """);
    assertThat(full.code()).as(full.err()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(Files.readString(folder.resolve("said")))
        .hasLineCount(1)
        .startsWith("ridgeline: full/")
        .endsWith("File too large\n");
    Outcome resumed = bash("\"$ridgeline\" train -c tiny.json --out full --resume --quiet");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(folder.resolve("full/tiny.gguf"))
        .hasSameBinaryContentAs(whole.resolve("trained/tiny/tiny.gguf"));
  }

  @Test
  void aDamagedOnlyCheckpointIsOneLine() {
    Outcome outcome =
        bash(
            """
            cp -r '%s' only
            cd only/checkpoints; ls | head -n -1 | xargs rm -f
            only=$(ls); head -c 300 $only >cut; mv cut $only; cd ../..
            "$ridgeline" train -c tiny.json --out only --resume
            """
                .formatted(whole.resolve("trained/tiny")));
    assertThat(outcome.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .hasLineCount(1)
        .matches(
            "ridgeline: only/checkpoints/step-\\d+\\.checkpoint: is damaged: .*; there is no"
                + " other\n");
  }

  /**
   * Not by Ctrl-C: where tests themselves run in the background, all that they start ignores it.
   */
  @Test
  void whatIsAskedToEndKeepsItsStep() throws IOException {
    Outcome outcome =
        bash(
            """
            "$ridgeline" train -c tiny.json --json >log 2>said &
            until [ -s log ]; do sleep 0.05; done
            kill -TERM $!
            wait $!
            """);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(128 + 15);
    assertThat(Files.readString(folder.resolve("said")))
        .hasLineCount(1)
        .matches(
            "ridgeline: stopped after step [\\d,]+ of 1,000, which is kept;"
                + " to continue: ridgeline train -c tiny.json --resume\n");
    assertThat(Files.readString(folder.resolve("log")))
        .isEqualTo(Files.readString(folder.resolve("trained/tiny/journal.jsonl")));
    assertThat(folder.resolve("trained/tiny/report.html")).exists();
    long before = Files.size(folder.resolve("trained/tiny/journal.jsonl"));
    Outcome resumed = bash("\"$ridgeline\" train -c tiny.json --resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("continues after step ", "step 1,000/1,000");
    assertThat(Files.size(folder.resolve("trained/tiny/journal.jsonl"))).isGreaterThan(before);
  }

  /** What the README says to type, with what a clone has and nothing else. */
  @Test
  void theExampleOfTheReadmeTrainsInACleanClone() {
    Outcome outcome =
        bash(
            """
            root=$(dirname "$ridgeline")
            git -C "$root" ls-files -z examples | tar -C "$root" --null -T - -c | tar x &&
            sed -i 's/"steps": [0-9]*/"steps": 2/; s/"warmup": [0-9]*/"warmup": 1/' \\
              examples/shakespeare.json &&
            "$ridgeline" train -c examples/shakespeare.json
            """);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("step 2/2");
    assertThat(folder.resolve("trained/shakespeare/shakespeare.gguf")).exists();
  }

  @Test
  void aReaderWhoLeavesCostsNoStep() throws IOException {
    Outcome left =
        bash(
            "\"$ridgeline\" train -c tiny.json --out left --json | head -n 20 >log; echo"
                + " ${PIPESTATUS[0]}");
    assertThat(left.out()).as(left.err()).isEqualTo("141\n");
    assertThat(left.err()).isEmpty();
    Outcome resumed = bash("\"$ridgeline\" train -c tiny.json --out left --resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    List<String> journal = Files.readAllLines(folder.resolve("left/journal.jsonl"));
    assertThat(journal.subList(0, 20)).isEqualTo(Files.readAllLines(folder.resolve("log")));
    // Checkpoints come every 50 steps; it has 20 lines to say and is not at its 50th step yet.
    Matcher from = Pattern.compile("continues after step (\\d+)\n").matcher(resumed.out());
    assertThat(from.find()).as(resumed.out()).isTrue();
    assertThat(Integer.parseInt(from.group(1)) % 50).isPositive();
    assertThat(folder.resolve("left/tiny.gguf"))
        .hasSameBinaryContentAs(whole.resolve("trained/tiny/tiny.gguf"));
  }

  private Outcome bash(String script) {
    return bash(folder, script);
  }

  private static Outcome bash(Path folder, String script) {
    var environment = new HashMap<String, String>();
    environment.put("RIDGELINE_NO_BUILD", "1");
    environment.put("RIDGELINE_JAVA", System.getProperty("java.home"));
    environment.put("ridgeline", FakeMachine.launcher().toString());
    return Outcome.ofShell(folder, environment, script);
  }
}
