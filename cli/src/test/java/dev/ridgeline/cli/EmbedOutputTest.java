package dev.ridgeline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code embed} must not write, and where it must not write it. */
class EmbedOutputTest {
  @TempDir private Path folder;
  private Path model;
  private Path input;

  @BeforeEach
  void aModelAndATextAreThere() throws IOException {
    model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    input = Files.writeString(folder.resolve("texts.txt"), "a text\n");
  }

  @Test
  void whatIsReadIsNotReplaced() throws IOException {
    byte[] weights = Files.readAllBytes(model);
    Path link = Files.createSymbolicLink(folder.resolve("link"), input);
    Path second = Files.createLink(folder.resolve("second.gguf"), model);
    for (Path output : new Path[] {input, link, model, second}) {
      refused(
          embed("--input", input, "-o", output, "--force"),
          output + ": is read, and would be replaced");
    }
    assertThat(input).hasContent("a text\n");
    assertThat(model).hasBinaryContent(weights);
  }

  @Test
  void aFileThatMayNotBeWrittenIsLeftAlone() throws IOException {
    Path output = Files.writeString(folder.resolve("vectors.json"), "precious");
    Files.setPosixFilePermissions(output, PosixFilePermissions.fromString("r--r--r--"));
    refused(embed("a", "-o", output, "--force"), output + ": permission denied");
    assertThat(output).hasContent("precious");
  }

  @Test
  void aFileIsReplacedOnlyByForce() throws IOException {
    Path output = Files.writeString(folder.resolve("vectors.json"), "precious");
    refused(embed("a", "-o", output), output + ": exists already; --force replaces it");
    assertThat(output).hasContent("precious");
    assertThat(embed("a", "-o", output, "--force").code()).isZero();
    assertThat(output).content().startsWith("{\"model\"");
    Path device = Path.of("/dev/null");
    assertThat(embed("a", "-o", device).code()).as("what holds nothing").isZero();
  }

  @Test
  void aFileKeepsItsMode() throws IOException {
    Path output = Files.writeString(folder.resolve("vectors.json"), "old");
    for (String mode : new String[] {"rw-------", "rwxrw-rw-"}) {
      Files.setPosixFilePermissions(output, PosixFilePermissions.fromString(mode));
      Answer answer = embed("a", "-o", output, "--force");
      assertThat(answer.code()).as(answer.err()).isZero();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output)))
          .isEqualTo(mode);
      assertThat(output).content().startsWith("{\"model\"");
    }
  }

  @Test
  void aDashIsStandardOutput() {
    Answer answer = embed("a", "-o", "-", "--format", "jsonl");
    assertThat(answer.out()).startsWith("{\"index\":0,").hasLineCount(1);
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void halfACharacterIsRefusedWithItsLine() throws IOException {
    Path lines = folder.resolve("texts.jsonl");
    Files.writeString(lines, "{\"text\":\"\\ud83d\\ude00\"}\n{\"text\":\"a\\ud83d\"}\n");
    refused(
        embed("--input", lines, "--field", "text"), lines + ", line 2: half a character, \\uD800");
  }

  /** The last tensor of the file is a bias: everything behind it is spoilt. */
  @Test
  void vectorsThatAreNotFiniteAreNotGivenOut() throws IOException {
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      try (FileChannel file = FileChannel.open(model, StandardOpenOption.WRITE)) {
        ByteBuffer number = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, bad);
        file.write(number, file.size() - 4L * TinyModel.WIDTH);
      }
      for (String strategy : new String[] {"fine", "coarse", "packed"}) {
        refused(
            embed("a", "b", "--strategy", strategy, "--workers", 1),
            "text 1 has a vector that is not finite: the model's file is damaged: " + model);
      }
    }
  }

  private static void refused(Answer answer, String why) {
    assertThat(answer.err()).hasLineCount(1).startsWith("ridgeline: ").contains(why);
    assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
  }

  private Answer embed(Object... args) {
    Object[] words = new Object[args.length + 3];
    words[0] = "embed";
    words[1] = "-m";
    words[2] = model;
    System.arraycopy(args, 0, words, 3, args.length);
    PrintStream output = System.out;
    var out = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(out, true, UTF_8));
      Answer answer = Answer.of(words);
      return new Answer(answer.code(), out.toString(UTF_8), answer.err());
    } finally {
      System.setOut(output);
    }
  }
}
