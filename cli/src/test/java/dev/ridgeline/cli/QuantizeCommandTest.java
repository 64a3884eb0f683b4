package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuantizeCommandTest {
  @TempDir private Path folder;
  private Path in;
  private Path out;

  @BeforeEach
  void writeAModel() {
    in = SmallModel.write(folder.resolve("in.gguf"));
    out = folder.resolve("out.gguf");
  }

  @Test
  void aFileOfAnotherTypeIsWritten() {
    Answer answer = Answer.of("quantize", in, out, "--type", "q4_k_m", "--workers", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .startsWith(out + ": q4_k_m, ")
        .endsWith("q6_k × 1, q4_k × 1, f32 × 1\n");
    try (Gguf file = Gguf.open(out)) {
      assertThat(file.tensor("token_embd.weight").type()).isEqualTo(TensorType.Q6_K);
      assertThat(file.metadata().integer("general.file_type")).isEqualTo(15);
      assertThat(file.metadata().integer("general.quantization_version")).isEqualTo(2);
    }
  }

  @Test
  void whatIsQuantizedAlreadyIsSaid() {
    Answer.of("quantize", in, out, "--type", "q8_0");
    Answer again = Answer.of("quantize", out, folder.resolve("again.gguf"), "--type", "q4_0");
    assertThat(again.code()).isZero();
    assertThat(again.err())
        .isEqualTo(
            "ridgeline: 2 tensors are already quantized;"
                + " the unquantized model would give a better file\n");
  }

  @Test
  void aFileIsReplacedOnlyByForce() throws IOException {
    Files.writeString(out, "precious");
    refused("exists already; --force replaces it", in, out);
    assertThat(out).hasContent("precious");
    assertThat(Answer.of("quantize", in, out, "--force").code()).isZero();
    refused("is the input, too", in, in, "--force");
  }

  @Test
  void badQuestionsAreOneLineAndLeaveNothing() throws IOException {
    refused("'q3' is none of f32, f16", in, out, "--type", "q3");
    refused("'mxfp4' can be read but not written: choose one of f32", in, out, "--type", "mxfp4");
    refused("--workers 0: at least 1", in, out, "--workers", 0);
    refused("no such file", folder.resolve("none"), out);
    refused("its folder does not exist", in, folder.resolve("none/out.gguf"));
    refused("is not a file", in, folder, "--force");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(in);
    }
  }

  @Test
  void theInputMayBeAName() {
    Path cache = folder.resolve("cache");
    Answer answer =
        Answer.of("quantize", "synth:minilm-l6", out, "--type", "q4_0", "--cache", cache);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith(out + ": q4_0, ");
    refused("no model 'gpt-7'; known are ", "gpt-7", folder.resolve("other.gguf"));
  }

  private static void refused(String reason, Object... args) {
    Object[] all = Stream.concat(Stream.of("quantize"), Stream.of(args)).toArray();
    Answer answer = Answer.of(all);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains(reason).hasLineCount(1);
  }
}
