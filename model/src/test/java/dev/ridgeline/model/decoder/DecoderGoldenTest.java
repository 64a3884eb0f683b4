package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logits as llama.cpp has them, where llama.cpp is not at hand. */
class DecoderGoldenTest {
  private static final double BAR = 1e-3;

  private static final double QUANTIZED_BAR = 3e-2;

  private static final List<GoldenLogits> ALL = GoldenLogits.all();

  @TempDir Path folder;

  static List<GoldenLogits> all() {
    return ALL;
  }

  @Test
  void everyKindOfDecoderIsRecorded() {
    assertThat(ALL).hasSize(12);
    assertThat(ALL).allSatisfy(golden -> assertThat(golden.positions()).hasSize(8));
  }

  @ParameterizedTest
  @MethodSource("all")
  void logitsAreThoseOfLlamaCpp(GoldenLogits golden) {
    double bar = golden.type() == TensorType.F32 ? BAR : QUANTIZED_BAR;
    assertThat(distance(write(golden), golden)).isLessThanOrEqualTo(bar);
  }

  /** A layer that sees one token more or less, or turns by other angles, is noticed. */
  @ParameterizedTest
  @CsvSource({
    "GEMMA3_TINY, attention.sliding_window, 15",
    "GEMMA3_TINY, attention.sliding_window, 17",
    "GEMMA3_TINY, attention.sliding_window, 512",
    "GEMMA3_TINY, attention.sliding_window_pattern, 5",
    "GEMMA3_TINY, attention.sliding_window_pattern, 7",
    "GEMMA3_TINY, rope.freq_base, 10000",
    "GEMMA3_TINY, rope.freq_base_swa, 1000000",
    "LLAMA_TINY, rope.freq_base, 11000",
    "QWEN2_TINY, rope.freq_base, 10000",
    "QWEN3_TINY, rope.freq_base, 10000"
  })
  void anotherWindowOrAngleGivesOtherLogits(SynthShape shape, String key, int value) {
    GoldenLogits golden = golden(shape);
    Object typed = key.startsWith("rope") ? (Object) (float) value : (Object) value;
    Map<String, Object> keys = Map.of(shape.architecture().word() + "." + key, typed);
    assertThat(distance(Variant.of(write(golden), keys), golden)).isGreaterThan(BAR);
  }

  @Test
  void withoutTheFactorsOfItsRopeLlama3SaysSomethingElse() {
    GoldenLogits golden = golden(SynthShape.LLAMA3_TINY);
    Path plain = Variant.of(write(golden), Map.of(), Set.of("rope_freqs.weight"));
    assertThat(distance(plain, golden)).isGreaterThan(BAR);
  }

  private static GoldenLogits golden(SynthShape shape) {
    return ALL.stream()
        .filter(each -> each.shape() == shape && each.type() == TensorType.F32)
        .findFirst()
        .orElseThrow();
  }

  private Path write(GoldenLogits golden) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(golden.shape(), golden.type(), SynthModel.SEED, model, _ -> {});
    return model;
  }

  private static double distance(Path model, GoldenLogits golden) {
    try (Reader reader = new Reader(model, TensorType.F32, golden.tokens().length, 1)) {
      return golden.distance(reader.add(0, golden.tokens()).all());
    }
  }
}
