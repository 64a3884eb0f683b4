package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.LlamaDecoder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of decoder says behind every token what llama.cpp says. */
class DecoderAgainstLlamaCppTest {
  private static final int PROMPT = 80;
  private static final int STEPS = 12;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "LLAMA_TINY, F32",
    "LLAMA3_TINY, F32",
    "QWEN2_TINY, F32",
    "QWEN3_TINY, F32",
    "GEMMA3_TINY, F32",
    "GPT2_TINY, F32",
    "LLAMA2C_TINY, F32"
  })
  void f32(SynthShape shape, TensorType type) {
    assertThat(distance(shape, type)).isLessThanOrEqualTo(1e-3);
  }

  @ParameterizedTest
  @CsvSource({
    "LLAMA_TINY, Q8_0",
    "LLAMA_TINY, Q4_0",
    "LLAMA_TINY, Q4_K",
    "LLAMA_TINY, Q6_K",
    "LLAMA_TINY, F16",
    "LLAMA3_TINY, Q8_0",
    "QWEN2_TINY, Q8_0",
    "QWEN3_TINY, Q4_0",
    "GEMMA3_TINY, Q8_0",
    "GPT2_TINY, Q8_0"
  })
  void quantized(SynthShape shape, TensorType type) {
    assertThat(distance(shape, type)).isLessThanOrEqualTo(3e-2);
  }

  @ParameterizedTest
  @EnumSource(names = {"Q2_K", "Q3_K", "IQ4_NL", "IQ4_XS", "MXFP4"})
  void onlyRead(TensorType type) {
    Path model = ReadOnlyModel.write(type, folder);
    int vocabulary = ReadOnlyModel.SHAPE.architecture().vocabulary();
    assertThat(distance(model, vocabulary)).isLessThanOrEqualTo(3e-2);
  }

  /** What is said of rope beyond its base. */
  @ParameterizedTest
  @MethodSource("ropes")
  void ropesOfAllKinds(SynthShape shape, Map<String, Object> keys) {
    Path model = Variant.of(write(shape, TensorType.F32), keys);
    assertThat(distance(model, shape.architecture().vocabulary())).isLessThanOrEqualTo(1e-3);
  }

  static Stream<Arguments> ropes() {
    Map<String, Object> yarn =
        Map.of(
            "llama.rope.scaling.type",
            "yarn",
            "llama.rope.scaling.factor",
            8f,
            "llama.rope.scaling.original_context_length",
            64);
    return Stream.of(
        Arguments.of(SynthShape.LLAMA_TINY, yarn),
        Arguments.of(SynthShape.LLAMA3_TINY, yarn),
        Arguments.of(
            SynthShape.LLAMA_TINY,
            Map.of("llama.rope.scaling.type", "linear", "llama.rope.scaling.factor", 4f)),
        Arguments.of(SynthShape.LLAMA_TINY, Map.of("llama.rope.scale_linear", 4f)),
        Arguments.of(
            SynthShape.GEMMA3_TINY,
            Map.of("gemma3.rope.scaling.type", "linear", "gemma3.rope.scaling.factor", 8f)));
  }

  private double distance(SynthShape shape, TensorType type) {
    return distance(write(shape, type), shape.architecture().vocabulary());
  }

  private Path write(SynthShape shape, TensorType type) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, type, SynthModel.SEED, model, _ -> {});
    return model;
  }

  /** The greatest difference of two logits at any position, as a part of their range there. */
  static double distance(Path model, int vocabulary) {
    int[] tokens = new Random(1).ints(PROMPT + STEPS, 0, vocabulary).toArray();
    double worst = 0;
    try (Reader ours = new Reader(model, TensorType.F32, PROMPT + STEPS, 1);
        LlamaModel loaded = LlamaModel.load(model);
        LlamaDecoder theirs = new LlamaDecoder(loaded, PROMPT + STEPS)) {
      for (int from = 0; from < tokens.length; ) {
        int to = from == 0 ? PROMPT : from + 1;
        int[] part = Arrays.copyOfRange(tokens, from, to);
        float[][] expected = theirs.decode(part);
        float[][] actual = ours.add(0, part).all();
        for (int i = 0; i < part.length; i++) {
          worst = Math.max(worst, distance(actual[i], expected[i]));
        }
        from = to;
      }
    }
    return worst;
  }

  static double distance(float[] actual, float[] expected) {
    double greatest = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    double worst = 0;
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.length; i++) {
      greatest = Math.max(greatest, expected[i]);
      least = Math.min(least, expected[i]);
      double difference = Math.abs((double) actual[i] - expected[i]);
      if (!(difference <= worst)) worst = difference; // not a number is worst
    }
    return worst / (greatest - least);
  }
}
