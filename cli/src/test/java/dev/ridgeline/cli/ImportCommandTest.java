package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.model.imports.TokenizerJson;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {
  @TempDir private Path folder;

  private void refuses(String reason, Object... args) {
    Answer answer = Answer.of(args);
    assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).startsWith("ridgeline: ").contains(reason).hasLineCount(1);
  }

  @Test
  void aSyntheticModelIsMadeOnceAndNotReplacedUnasked() throws IOException {
    Path out = folder.resolve("minilm.gguf");
    Answer answer = Answer.of("synth", "minilm-l6", out, "--type", "Q4_0");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .isEqualTo(out + ": minilm-l6, bert, q4_0, " + Quantity.bytes(Files.size(out)) + "\n");
    assertThat(answer.err()).isEmpty();
    Files.writeString(out, "precious");
    refuses("exists already; --force replaces it", "synth", "minilm-l6", out);
    assertThat(out).hasContent("precious");
    assertThat(Answer.of("synth", "minilm-l6", out, "--type", "q4_0", "--force").code()).isZero();
    assertThat(Files.size(out)).isGreaterThan(10_000_000);
    // Neither is a model what is GGUF already.
    refuses("is GGUF already", "import", out, folder.resolve("again.gguf"));
  }

  @Test
  void whatCannotBeMadeIsRefusedInOneLine() throws IOException {
    Path out = folder.resolve("a.gguf");
    refuses("no shape 'gpt5'; there are minilm-l6", "synth", "gpt5", out);
    refuses("--type 'q9': choose one of f32", "synth", "minilm-l6", out, "--type", "q9");
    refuses(
        "--type 'q2_k': can be read but not written; choose one of f32",
        "synth",
        "minilm-l6",
        out,
        "--type",
        "q2_k");
    refuses("ends in .gguf", "synth", "minilm-l6", folder.resolve("a.bin"));
    refuses("its folder does not exist", "synth", "minilm-l6", folder.resolve("no/a.gguf"));
    refuses("no such file", "import", folder.resolve("nothing.onnx"), out);
    Path damaged = Files.writeString(folder.resolve("model.onnx"), "not a model");
    refuses(damaged + ": ", "import", damaged, out);
    refuses("has neither", "import", Files.createDirectory(folder.resolve("empty")), out);
    refuses("--heads '-1': is negative", "import", damaged, out, "--heads", "-1");
    refuses("--name: no line ends", "import", damaged, out, "--name", "a\nb");
    assertThat(out).doesNotExist();
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void aPipeIsNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("tokenizer.json");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> TokenizerJson.read(pipe)).hasMessage(pipe + ": is not a regular file");
    assertThatThrownBy(() -> TokenizerJson.read(folder)).hasMessage(folder + ": is a folder");
    Path model = Files.createDirectory(folder.resolve("model"));
    Files.createFile(model.resolve("model.safetensors"));
    Files.move(pipe, model.resolve("config.json"));
    refuses("config.json: is not a regular file", "import", model, folder.resolve("a.gguf"));
  }

  private static final String HYPERFINE =
      """
      {"results": [
        {"command": "sleep 1", "mean": 1.01, "times": [1.0, 1.02], "exit_codes": [0, 0]},
        {"command": "sleep 2", "mean": 2.01, "times": [2.0, 2.02], "exit_codes": [0, 0]}]}
      """;

  @Test
  void measurementsOfOthersBecomeRunsOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("bench.json"), HYPERFINE);
    Path runs = folder.resolve("runs");
    Answer answer = Answer.of("import", file, "--runs", runs);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .hasLineCount(3)
        .contains("wall time 1.01 s · sleep 1")
        .endsWith("2 runs of hyperfine in " + runs + "\n");
    assertThat(Answer.of("import", file, "--runs", runs).out())
        .isEqualTo("0 runs of hyperfine in " + runs + "; 2 were there already\n");
    assertThat(Answer.of("history", "wall", "--runs", runs).out()).contains("sleep 2");
    assertThat(Answer.of("report", "last", "--runs", runs).out())
        .contains("wall time")
        .contains("recorded without a profile");
  }

  @Test
  void aResultThatIsThereTwiceIsOneRun() throws IOException {
    Path file =
        Files.writeString(folder.resolve("bench.json"), HYPERFINE.replace("sleep 2", "sleep 1"));
    Files.writeString(file, Files.readString(file).replace("2.0", "1.0"));
    assertThat(Answer.of("import", file, "--runs", folder.resolve("runs")).out())
        .contains("1 run of hyperfine", "1 were there already");
  }

  @Test
  void aMomentThatNobodyCanDrawIsNoneThatWasTold() throws IOException {
    String began = "\"metadata\": {\"start_time\": \"+999999999-12-31T23:59:59Z\"}, \"results\"";
    Path file =
        Files.writeString(folder.resolve("bench.json"), HYPERFINE.replace("\"results\"", began));
    Path runs = folder.resolve("runs");
    Answer answer = Answer.of("import", file, "--runs", runs);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(Answer.of("history", "--runs", runs).out()).contains("2 of 2 runs");
  }

  @Test
  void measurementsThatCannotBeReadLeaveNothing() throws IOException {
    Path runs = folder.resolve("runs");
    Path file = folder.resolve("bench.json");
    Files.writeString(file, HYPERFINE.replace("2.02]", "\"two\"]"));
    refuses("times: must be a list of numbers", "import", file, "--runs", runs);
    Files.writeString(file, HYPERFINE.substring(0, 120));
    refuses("cut off", "import", file, "--runs", runs);
    refuses("OUT is missing", "import", folder.resolve("model.onnx"), "--runs", runs);
    assertThat(runs).doesNotExist();
  }
}
