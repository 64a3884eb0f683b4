package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.model.Architecture;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DecoderTest {
  private static final int TOKENS = 70;

  @TempDir Path folder;

  private Path write(SynthShape shape, TensorType type) {
    Path model = folder.resolve(shape.word() + ".gguf");
    SynthModel.write(shape, type, SynthModel.SEED, model, _ -> {});
    return model;
  }

  private static int[] tokens(SynthShape shape, long seed) {
    return new Random(seed).ints(TOKENS, 0, shape.architecture().vocabulary()).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "LLAMA_TINY, F32, F32",
    "LLAMA_TINY, F32, F16",
    "LLAMA_TINY, Q8_0, F16",
    "LLAMA3_TINY, F32, F32",
    "QWEN2_TINY, F32, F32",
    "QWEN3_TINY, F32, F32",
    "GEMMA3_TINY, F32, F32",
    "GPT2_TINY, F32, F32"
  })
  void aSequenceHasTheSameBitsAloneAndBesideOthersAndInPieces(
      SynthShape shape, TensorType type, TensorType cache) {
    Path model = write(shape, type);
    int[] tokens = tokens(shape, 3);
    int[] others = tokens(shape, 4);
    float[][] alone;
    try (Reader reader = new Reader(model, cache, TOKENS, 1)) {
      alone = reader.add(0, tokens).all();
    }
    try (Reader reader = new Reader(model, cache, TOKENS, 3)) {
      reader.add(1, others);
      float[][] beside = reader.add(0, tokens).add(2, Arrays.copyOf(others, 33)).all();
      for (int i = 0; i < TOKENS; i++) assertThat(beside[TOKENS + i]).isEqualTo(alone[i]);
      reader.forget();
      float[][] last = reader.add(2, 1, 2, 3).add(0, tokens).last();
      assertThat(last[1]).isEqualTo(alone[TOKENS - 1]);
    }
    try (Reader reader = new Reader(model, cache, TOKENS, 2)) {
      int[] cuts = {0, 1, 2, 9, 33, 34, 64, 70};
      for (int i = 1; i < cuts.length; i++) {
        reader.add(0, Arrays.copyOfRange(tokens, cuts[i - 1], cuts[i]));
        assertThat(reader.add(1, others[i]).last()[0]).isEqualTo(alone[cuts[i] - 1]);
      }
      reader.forget();
      for (int i = 0; i < TOKENS; i++) {
        assertThat(reader.add(0, tokens[i]).last()[0]).as("token %d", i).isEqualTo(alone[i]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TensorType.class,
      names = {"F32", "F16"})
  void sequencesThatShareABeginningGoOnAsIfAlone(TensorType cache) {
    SynthShape shape = SynthShape.LLAMA3_TINY;
    Path model = write(shape, TensorType.F32);
    int[] one = tokens(shape, 5);
    int[] other = tokens(shape, 6);
    System.arraycopy(one, 0, other, 0, 40);
    float[][] alone;
    try (Reader reader = new Reader(model, cache, TOKENS, 2)) {
      alone = reader.add(0, one).add(1, other).last();
    }
    try (Reader reader = new Reader(model, cache, TOKENS, 2)) {
      reader.add(0, Arrays.copyOf(one, 40)).last();
      reader.branch(0, 1);
      reader.add(0, Arrays.copyOfRange(one, 40, TOKENS));
      reader.add(1, Arrays.copyOfRange(other, 40, TOKENS));
      assertThat(reader.last()).isDeepEqualTo(alone);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LLAMA_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  @Tag("own-jvm")
  void aStepAllocatesNothing(SynthShape shape) {
    Path model = write(shape, TensorType.Q8_0);
    assertThat(Allocated.by(StepsAgain.class, model.toString()))
        .containsExactly(entry("64 steps", 0L));
  }

  static final class StepsAgain {
    public static void main(String[] arguments) {
      try (Reader reader = new Reader(Path.of(arguments[0]), TensorType.F16, 64, 3, 1)) {
        Allocated.again(
            "64 steps",
            () -> {
              reader.forget();
              for (int i = 0; i < 64; i++) reader.step(i);
            });
      }
    }
  }

  @Test
  void aTextBeyondTheContextIsRefused() {
    try (Reader reader =
        new Reader(write(SynthShape.GPT2_TINY, TensorType.F32), TensorType.F32, 160, 1)) {
      assertThat(reader.decoder.shape().context()).isEqualTo(128);
      reader.add(0, new int[129]);
      assertThatThrownBy(reader::last)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a text of 129 tokens: planned for 128");
    }
  }

  @Test
  void aCacheOfAnotherModelIsRefused() {
    try (Gguf file = Gguf.open(write(SynthShape.LLAMA2C_TINY, TensorType.F32));
        Device device = Device.cpu(1);
        Decoder decoder = Architecture.decoder(file, device);
        KvCache cache = new KvCache(device, new KvCache.Shape(2, 1, 8, 8), TensorType.F16, 1)) {
      assertThatThrownBy(() -> decoder.plan(device, 4, 1, cache))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("kvHeads=4");
    }
  }

  @Test
  void whatItIsCanBeAsked() {
    try (Gguf file = Gguf.open(write(SynthShape.LLAMA2C_TINY, TensorType.F32));
        Device device = Device.cpu(1);
        Decoder decoder = Architecture.decoder(file, device)) {
      assertThat(decoder.shape().description()).isEqualTo("llama, 2 layers of 128");
      assertThat(decoder.shape().context()).isEqualTo(128);
      assertThat(decoder.shape().vocabulary()).isEqualTo(512);
      assertThat(decoder.shape().layers()).isEqualTo(2);
      try (SequenceMemory memory = decoder.memory(device, TensorType.F16, 3, 33)) {
        assertThat(memory.description()).isEqualTo("f16, 6 pages of 32 tokens");
        assertThat(((KvCache) memory).shape()).isEqualTo(new KvCache.Shape(2, 4, 32, 32));
      }
    }
  }
}
