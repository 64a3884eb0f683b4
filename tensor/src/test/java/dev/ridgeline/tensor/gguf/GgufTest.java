package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.SharedData;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class GgufTest {
  @TempDir Path folder;

  // What is written is what is read.

  @Test
  void everyKindOfValueComesBack() {
    try (Gguf file = Gguf.open(everything())) {
      Metadata metadata = file.metadata();
      assertThat(file.version()).isEqualTo(3);
      assertThat(metadata.string("general.name")).isEqualTo("Zwölf Boxkämpfer 🥊");
      assertThat(metadata.integer("bert.block_count")).isEqualTo(6);
      assertThat(metadata.integer("bert.negative")).isEqualTo(-6);
      assertThat(metadata.integer("bert.parameters")).isEqualTo(22_713_216);
      assertThat(metadata.value("bert.parameters")).isEqualTo(22_713_216L);
      assertThat(metadata.floating("bert.epsilon")).isEqualTo(1e-12f);
      assertThat(metadata.value("bert.precise")).isEqualTo(0.1);
      assertThat(metadata.flag("bert.causal")).isFalse();
      assertThat(metadata.strings("tokenizer.ggml.tokens"))
          .containsExactly("[PAD]", "", "▁the", "##ing", "🥊");
      assertThat(metadata.floats("tokenizer.ggml.scores"))
          .containsExactly(0, -1, -2.5f, Float.NEGATIVE_INFINITY);
      assertThat(metadata.integers("tokenizer.ggml.token_type")).containsExactly(3, 1, 1, -1);
      assertThat(metadata.flags("bert.pattern")).containsExactly(true, false, true);
      assertThat(metadata.keys()).startsWith("general.architecture").hasSize(12);
      assertThat(metadata.kind("tokenizer.ggml.tokens")).isEqualTo("string[5]");
      assertThat(metadata.value("tokenizer.ggml.tokens", 1)).isEqualTo(List.of("[PAD]"));
    }
  }

  @Test
  void tensorsComeBackAlignedAndInOrder() {
    try (Gguf file = Gguf.open(everything())) {
      assertThat(file.tensors())
          .extracting(GgufTensor::name)
          .containsExactly(
              "token_embd.weight",
              "blk.0.attn_q.weight",
              "blk.0.attn_q.bias",
              "other.q2_k",
              "other.q3_k",
              "other.iq4_nl",
              "other.iq4_xs",
              "other.mxfp4",
              "blk.0.ffn_up.weight");
      GgufTensor tensor = file.tensor("blk.0.ffn_up.weight");
      assertThat(tensor.type()).isEqualTo(TensorType.Q6_K);
      assertThat(tensor.shape()).containsExactly(256L, 1L, 2L);
      assertThat(tensor.columns()).isEqualTo(256);
      assertThat(tensor.rows()).isEqualTo(2);
      assertThat(tensor.count()).isEqualTo(512);
      assertThat(tensor.address() % 32).isZero();
      byte[] expected = new byte[420];
      new java.util.Random(420).nextBytes(expected);
      assertThat(tensor.data().toArray(JAVA_BYTE)).isEqualTo(expected);
    }
  }

  @Test
  void releasedPagesCanBeReadAgain() {
    Path path = folder.resolve("large.gguf");
    byte[] bytes = new byte[1 << 20];
    Arrays.fill(bytes, (byte) 7);
    new GgufWriter()
        .tensor(
            "t",
            TensorType.F32,
            new long[] {1 << 18},
            GgufWriter.Source.of(MemorySegment.ofArray(bytes)))
        .write(path);
    try (Gguf file = Gguf.open(path)) {
      GgufTensor tensor = file.tensor("t");
      assertThat(tensor.data().toArray(JAVA_BYTE)).isEqualTo(bytes);
      file.release(tensor);
      assertThat(tensor.data().toArray(JAVA_BYTE)).isEqualTo(bytes);
    }
  }

  @Test
  void anArrayOfFloatsIsWrittenAsItIs() {
    Path path = folder.resolve("floats.gguf");
    float[] numbers = {1.5f, -2, 3e10f};
    GgufWriter.Source source = GgufWriter.Source.of(MemorySegment.ofArray(numbers));
    new GgufWriter().tensor("t", TensorType.F32, new long[] {3}, source).write(path);
    try (Gguf file = Gguf.open(path)) {
      assertThat(file.tensor("t").data().toArray(JAVA_FLOAT_UNALIGNED)).isEqualTo(numbers);
    }
  }

  @Test
  void theSameInputMakesTheSameBytes() throws IOException {
    Path one = everything();
    Path two = folder.resolve("two.gguf");
    SmallFiles.everything().write(two);
    assertThat(two).hasSameBinaryContentAs(one);
  }

  @Test
  void metadataIsTakenOverByteForByte() {
    Path copy = folder.resolve("copy.gguf");
    try (Gguf file = Gguf.open(everything())) {
      new GgufWriter().putAll(file.metadata()).put("bert.block_count", 7).write(copy);
      try (Gguf copied = Gguf.open(copy)) {
        assertThat(copied.metadata().keys()).containsExactlyElementsOf(file.metadata().keys());
        assertThat(copied.metadata().integer("bert.block_count")).isEqualTo(7);
        for (String key : file.metadata().keys()) {
          if (key.equals("bert.block_count")) continue;
          assertThat(copied.metadata().encoded(key).mismatch(file.metadata().encoded(key)))
              .as(key)
              .isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void alignmentIsKept() throws IOException {
    Encoding header = new Encoding().integer(Header.MAGIC).integer(3).whole(0).whole(1);
    header.string(Header.ALIGNMENT).value("", 64);
    Path path = Files.write(folder.resolve("aligned.gguf"), header.toByteArray());
    Path copy = folder.resolve("copy.gguf");
    try (Gguf file = Gguf.open(path)) {
      new GgufWriter()
          .putAll(file.metadata())
          .tensor("a", TensorType.F32, new long[] {1}, SmallFiles.random(4))
          .tensor("b", TensorType.F32, new long[] {1}, SmallFiles.random(4))
          .write(copy);
    }
    try (Gguf copied = Gguf.open(copy)) {
      assertThat(copied.tensor("b").address() - copied.tensor("a").address()).isEqualTo(64);
    }
  }

  @Test
  void realFilesAreRead() {
    try (Gguf file = Gguf.open(SharedData.file("stories15M-q8_0.gguf"))) {
      assertThat(file.metadata().string("general.architecture")).isEqualTo("llama");
      assertThat(file.tensor("token_embd.weight").type()).isEqualTo(TensorType.Q8_0);
      assertThat(file.tensor("token_embd.weight").shape()).containsExactly(288L, 32_000L);
      assertThat(file.metadata().strings("tokenizer.ggml.tokens")).hasSize(32_000);
    }
    for (String name : List.of("bert-bge", "gpt-2", "llama-bpe", "llama-spm")) {
      try (Gguf file = Gguf.open(SharedData.file("vocab/ggml-vocab-" + name + ".gguf"))) {
        assertThat(file.tensors()).isEmpty();
        for (String key : file.metadata().keys())
          assertThat(file.metadata().value(key)).isNotNull();
      }
    }
  }

  @Test
  void aRealFileWrittenAgainHasTheSameBytes() {
    for (String name : List.of("stories260K.gguf", "stories15M-q8_0.gguf")) {
      Path original = SharedData.file(name);
      Path again = folder.resolve(name);
      try (Gguf file = Gguf.open(original)) {
        GgufWriter writer = new GgufWriter().putAll(file.metadata());
        for (GgufTensor tensor : file.tensors()) {
          long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
          writer.tensor(tensor.name(), tensor.type(), shape, GgufWriter.Source.of(tensor.data()));
        }
        writer.write(again);
      }
      assertThat(again).hasSameBinaryContentAs(original);
    }
  }

  // What is wrong is said.

  @Test
  void aMissingTensorNamesThoseThatAreAlike() {
    try (Gguf file = Gguf.open(everything())) {
      refused(() -> file.tensor("blk.0.attn_k.weight"))
          .withMessageEndingWith("has no tensor blk.0.attn_k.weight; it has blk.0.attn_q.weight");
      refused(() -> file.tensor("x")).withMessageEndingWith("has no tensor x");
      assertThat(file.has("x")).isFalse();
    }
  }

  @Test
  void aMissingOrOtherValueNamesItsKey() {
    try (Gguf file = Gguf.open(everything())) {
      Metadata metadata = file.metadata();
      refused(() -> metadata.string("x.y")).withMessageEndingWith("has no metadata x.y");
      assertThat(metadata.string("x.y", "z")).isEqualTo("z");
      refused(() -> metadata.integer("general.name"))
          .withMessageEndingWith("metadata general.name is string, not a whole number");
      refused(() -> metadata.integer("general.name", 1)).withMessageContaining("general.name");
      refused(() -> metadata.strings("bert.pattern"))
          .withMessageEndingWith("metadata bert.pattern is bool[3], not an array of strings");
      refused(() -> metadata.floating("tokenizer.ggml.scores")).withMessageContaining("f32[4]");
    }
  }

  @Test
  void aValueThatDoesNotFitIsRefused() {
    Path path = folder.resolve("wide.gguf");
    new GgufWriter().put("wide", 1L << 40).write(path);
    try (Gguf file = Gguf.open(path)) {
      refused(() -> file.metadata().integer("wide"))
          .withMessageEndingWith("metadata wide holds 1099511627776, which is out of range");
    }
  }

  @Test
  void whatIsNoFileIsRefused() throws IOException {
    refusedFile(folder.resolve("none"), "does not exist");
    refusedFile(folder, "is not a file");
    refusedFile(Files.createFile(folder.resolve("empty")), "is not a GGUF file");
    refusedFile(
        Files.writeString(folder.resolve("text"), "Once upon a time"), "is not a GGUF file");
  }

  @Test
  void otherVersionsAreRefused() throws IOException {
    refusedFile(edited(b -> b.putInt(4, 1)), "has GGUF version 1; versions 2 and 3 are read");
    refusedFile(edited(b -> b.putInt(4, 4)), "has GGUF version 4; versions 2 and 3 are read");
    refusedFile(
        edited(b -> b.putInt(4, 3 << 24)), "is big-endian: convert it to little-endian first");
  }

  @Test
  void versionTwoIsRead() throws IOException {
    try (Gguf file = Gguf.open(edited(b -> b.putInt(4, 2)))) {
      assertThat(file.version()).isEqualTo(2);
      assertThat(file.tensors()).hasSize(9);
    }
  }

  @Test
  void countsThatTheFileCannotHoldAreRefused() throws IOException {
    refusedFile(
        edited(b -> b.putLong(8, -1)),
        "the number of tensors is 18446744073709551615, more than the file's 2,304 bytes can hold");
    refusedFile(
        edited(b -> b.putLong(16, 1L << 50)),
        "the number of metadata entries is 1125899906842624, more than the file's 2,304 bytes can"
            + " hold");
    refusedFile(
        edited(b -> b.putLong(24, 1L << 33)),
        "the length of the key of metadata entry 0 is 8589934592, more than the file's 2,304 bytes"
            + " can hold");
  }

  @Test
  void aCutOffFileNamesTheTensorThatIsCutOff() throws IOException {
    byte[] whole = Files.readAllBytes(everything());
    Path path = folder.resolve("cut.gguf");
    Files.write(path, Arrays.copyOf(whole, whole.length - 100));
    refused(() -> Gguf.open(path))
        .withMessageStartingWith(path + ": tensor blk.0.ffn_up.weight is cut off: it needs 420 ")
        .withMessageEndingWith("the file has 2,204");
  }

  @Test
  void everyCutIsRefusedWithAReason() throws IOException {
    byte[] whole = Files.readAllBytes(everything());
    int needed = whole.length - (32 - 420 % 32); // the last tensor's padding is nobody's loss
    Path path = folder.resolve("cut.gguf");
    for (int length = 0; length < needed; length++) {
      Files.write(path, Arrays.copyOf(whole, length));
      refused(() -> Gguf.open(path)).withMessageStartingWith(path + ": ");
    }
  }

  @Test
  void tensorsThatCannotBeAreRefused() throws IOException {
    refusedTensor(t -> t.type = 16, "tensor t has type 16 (iq2_xxs), which is not read");
    refusedTensor(t -> t.type = 99, "tensor t has type 99, which is not read");
    refusedTensor(
        t -> t.shape = new long[] {1L << 40, 1L << 40},
        "tensor t has the impossible shape [1099511627776, 1099511627776]");
    refusedTensor(t -> t.shape = new long[] {4, 0}, "tensor t has the impossible shape [4, 0]");
    refusedTensor(t -> t.shape = new long[] {4, -1}, "tensor t has the impossible shape [4, -1]");
    refusedTensor(
        t -> t.shape = new long[] {Long.MAX_VALUE},
        "tensor t has the impossible shape [9223372036854775807]");
    refusedTensor(t -> t.shape = new long[] {1, 1, 1, 1, 1}, "tensor t has 5 dimensions");
    refusedTensor(t -> t.offset = 8, "tensor t begins at 8, which is not a multiple of 32");
    refusedTensor(
        t -> t.offset = -32,
        "tensor t begins at 18446744073709551584, which is not a multiple of 32");
    refusedTensor(
        t -> t.type = TensorType.Q8_0.code(),
        "tensor t has rows of 4, which blocks of 32 (q8_0) do not fill");
    refusedTensor(t -> t.offset = 1L << 62, "tensor t is cut off: it needs 16 bytes from byte");
    refusedTensor(t -> t.name = "u", "has tensor u twice");
    refusedTensor(t -> t.offset = 0, "tensors t and u overlap");
    refusedTensor(t -> t.name = "", "the name of tensor 0 is empty");
  }

  @Test
  void metadataThatCannotBeIsRefused() throws IOException {
    refusedMetadata(e -> e.string("k").integer(13), "metadata k has the unknown type 13");
    refusedMetadata(
        e -> e.string("k").type(ValueType.ARRAY).type(ValueType.ARRAY).whole(0),
        "metadata k is an array of arrays");
    refusedMetadata(
        e -> e.string("k").array(ValueType.F64, 1 << 20),
        "the length of metadata k is 1048576, more than the file's");
    refusedMetadata(e -> e.string("k").value("", 1), "has metadata k twice", 2);
    refusedMetadata(
        e -> e.string(Header.ALIGNMENT).value("", 24),
        "metadata general.alignment is 24, not a power of two");
    refusedMetadata(
        e -> e.string(Header.ALIGNMENT).value("", "x"),
        "metadata general.alignment is string, not a whole number");
  }

  // Nothing half written.

  @Test
  void aFailedWriteLeavesWhatWasThere() throws IOException {
    Path path = everything();
    byte[] before = Files.readAllBytes(path);
    GgufWriter failing =
        new GgufWriter()
            .tensor(
                "t",
                TensorType.F32,
                new long[] {1},
                _ -> {
                  throw new IOException("No space left on device");
                });
    refused(() -> failing.write(path))
        .withMessage(path + ": cannot be written: No space left on device");
    assertThat(path).hasBinaryContent(before);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(path);
    }
  }

  @Test
  void aSourceThatWritesTooLittleIsCalledOut() {
    GgufWriter writer =
        new GgufWriter().tensor("t", TensorType.F32, new long[] {2}, SmallFiles.random(4));
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.write(folder.resolve("t.gguf")))
        .withMessage("tensor t: 4 bytes written, 8 announced");
  }

  @Test
  void placesThatCannotBeWrittenAreRefused() {
    refused(() -> SmallFiles.everything().write(folder.resolve("none/t.gguf")))
        .withMessageEndingWith("none/t.gguf: cannot be written: its folder does not exist");
    refused(() -> SmallFiles.everything().write(folder)).withMessage(folder + ": is not a file");
  }

  @Test
  void whatOthersWouldNotLoadIsNotWritten() {
    GgufWriter writer = new GgufWriter();
    GgufWriter.Source none = SmallFiles.random(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.tensor("x".repeat(64), TensorType.F32, new long[] {1}, none))
        .withMessageContaining("1 to 63 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.tensor("t", TensorType.Q8_0, new long[] {33}, none))
        .withMessage("tensor t: shape [33] does not fit q8_0");
    assertThatIllegalArgumentException().isThrownBy(() -> writer.put("k", new Object()));
  }

  private Path everything() {
    Path path = folder.resolve("everything.gguf");
    SmallFiles.everything().write(path);
    return path;
  }

  private Path edited(Consumer<ByteBuffer> edit) throws IOException {
    byte[] bytes = Files.readAllBytes(everything());
    edit.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    return Files.write(folder.resolve("edited.gguf"), bytes);
  }

  private static final class TensorDraft {
    String name = "t";
    long[] shape = {4};
    int type;
    long offset = 32;
  }

  /** A file with tensors t, as drafted, and u at offset 0. */
  private void refusedTensor(Consumer<TensorDraft> edit, String reason) throws IOException {
    TensorDraft draft = new TensorDraft();
    edit.accept(draft);
    Encoding file = new Encoding().integer(Header.MAGIC).integer(3).whole(2).whole(0);
    file.string(draft.name).integer(draft.shape.length);
    for (long length : draft.shape) file.whole(length);
    file.integer(draft.type).whole(draft.offset);
    file.string("u").integer(1).whole(4).integer(0).whole(0);
    file.writeBytes(new byte[256]);
    refusedFile(Files.write(folder.resolve("edited.gguf"), file.toByteArray()), reason);
  }

  private void refusedMetadata(Consumer<Encoding> entry, String reason) throws IOException {
    refusedMetadata(entry, reason, 1);
  }

  private void refusedMetadata(Consumer<Encoding> entry, String reason, int times)
      throws IOException {
    Encoding file = new Encoding().integer(Header.MAGIC).integer(3).whole(0).whole(times);
    for (int i = 0; i < times; i++) entry.accept(file);
    file.writeBytes(new byte[64]);
    refusedFile(Files.write(folder.resolve("edited.gguf"), file.toByteArray()), reason);
  }

  private static void refusedFile(Path path, String reason) {
    refused(() -> Gguf.open(path)).withMessageStartingWith(path + ": " + reason);
  }

  private static ThrowableAssertAlternative<GgufException> refused(ThrowingCallable action) {
    return assertThatExceptionOfType(GgufException.class).isThrownBy(action);
  }
}
