package dev.ridgeline.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Made-up models in the files of llama2.c. */
class Llama2cTest {
  @TempDir private Path folder;

  private Path write(SynthShape synth, boolean bare) throws IOException {
    Path gguf = folder.resolve("expected.gguf");
    SynthModel.write(synth, TensorType.F32, SynthModel.SEED, gguf, _ -> {});
    try (Gguf file = Gguf.open(gguf)) {
      DecoderShape shape = (DecoderShape) synth.architecture();
      Files.write(folder.resolve("tokenizer.bin"), Llama2cFiles.tokenizer(file, bare));
      return Files.write(folder.resolve("m.bin"), Llama2cFiles.checkpoint(shape, file));
    }
  }

  /** One with a last matrix of its own and shared key heads, one without. */
  @ParameterizedTest
  @CsvSource({"LLAMA_TINY, false", "LLAMA2C_TINY, true"})
  void everyNumberAndTokenComesBack(SynthShape shape, boolean bare) throws IOException {
    Path out = folder.resolve("out.gguf");
    try (ModelImport model = ModelImport.open(write(shape, bare), Options.NONE)) {
      assertThat(model.name()).isEqualTo("m");
      assertThat(model.architecture()).isEqualTo(shape.architecture());
      model.write(out, TensorType.F32, _ -> {});
    }
    try (Gguf expected = Gguf.open(folder.resolve("expected.gguf"));
        Gguf actual = Gguf.open(out)) {
      for (GgufTensor tensor : expected.tensors()) {
        assertThat(actual.tensor(tensor.name()).data().mismatch(tensor.data()))
            .as(tensor.name())
            .isEqualTo(-1);
      }
      for (String key : expected.metadata().keys()) {
        if (List.of("general.name", "ridgeline.synth.seed").contains(key)) continue;
        assertThat(actual.metadata().value(key)).as(key).isEqualTo(expected.metadata().value(key));
      }
      // What begins the next text ends this one, as in llama2.c's own loop.
      assertThat(Tokenizers.of(actual.metadata()).ends(1)).isTrue();
    }
  }

  @Test
  void whatIsNotOfLlama2cIsRefused() throws IOException {
    Path model = write(SynthShape.LLAMA2C_TINY, true);
    byte[] whole = Files.readAllBytes(model);
    refused(Arrays.copyOf(whole, 20), "is too short for llama2.c");
    refused(Arrays.copyOf(whole, whole.length - 1), "the file is truncated: ");
    refused(Arrays.copyOf(whole, whole.length + 1), "is not of llama2.c: ");
    refused(with(whole, 0, 0x616b3432), "is llama2.c's format 384; its first one, 0, is read");
    refused(with(whole, 0, 0x04034b50), "is a file of PyTorch");
    refused(with(whole, 0, -1), "is not of llama2.c: dim is -1");
    refused(with(whole, 3, 3), "3 heads do not divide 128");
    refused(with(whole, 5, Integer.MIN_VALUE), "vocab_size is -2147483648");
    refused(with(whole, 5, 513), "the file is truncated: ");
    Files.write(model, whole);
    Path tokenizer = folder.resolve("tokenizer.bin");
    byte[] tokens = Files.readAllBytes(tokenizer);
    Files.write(tokenizer, Arrays.copyOf(tokens, tokens.length - 1));
    assertThatThrownBy(() -> ModelImport.open(model, Options.NONE))
        .hasMessage(tokenizer + ": the file is truncated at token 511");
    Files.write(tokenizer, Arrays.copyOf(tokens, tokens.length + 1));
    assertThatThrownBy(() -> ModelImport.open(model, Options.NONE))
        .hasMessage(tokenizer + ": has more than the 512 tokens of the model");
    Files.delete(tokenizer);
    assertThatThrownBy(() -> ModelImport.open(model, Options.NONE))
        .hasMessage(model + ": has no tokenizer.bin next to it; name it with --tokenizer");
  }

  private static byte[] with(byte[] whole, int index, int value) {
    byte[] changed = whole.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(4 * index, value);
    return changed;
  }

  private void refused(byte[] bytes, String reason) throws IOException {
    Path file = Files.write(folder.resolve("other.bin"), bytes);
    assertThatThrownBy(() -> ModelImport.open(file, Options.NONE))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(reason);
  }
}
