package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.Architecture;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file may say anything; what is wrong with it is one line that names it. */
class StrangeFilesTest {
  @TempDir Path folder;

  private Path write(SynthShape shape) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, TensorType.F32, SynthModel.SEED, model, _ -> {});
    return model;
  }

  /** The one line, or null where it loads. */
  private static String problem(Path model) {
    try (Gguf file = Gguf.open(model);
        Device device = Device.cpu(1);
        Decoder _ = Architecture.decoder(file, device)) {
      return null;
    } catch (ModelException | GgufException e) {
      assertThat(e).hasMessageStartingWith(model + ": ").message().doesNotContain("\n");
      return e.getMessage().substring(model.toString().length() + 2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LLAMA3_TINY", "QWEN2_TINY", "QWEN3_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  void noSizeMakesItFallOver(SynthShape shape) {
    Path model = write(shape);
    List<String> keys;
    try (Gguf file = Gguf.open(model)) {
      keys =
          file.metadata().keys().stream()
              .filter(key -> key.startsWith(shape.architecture().word() + "."))
              .toList();
    }
    List<Object> values =
        List.of(0, -1, 1, 7, 1 << 20, Integer.MAX_VALUE, 1L << 31, Long.MAX_VALUE, 0f, -1f);
    for (String key : keys) {
      for (Object value : values) problem(Variant.of(model, Map.of(key, value)));
      problem(Variant.of(model, Map.of(key, Float.NaN)));
      problem(Variant.of(model, Map.of(key, "what")));
    }
  }

  @Test
  void sizesThatDoNotFitAreNamed() {
    Path model = write(SynthShape.LLAMA_TINY);
    assertThat(problem(model)).isNull();
    assertThat(problem(Variant.of(model, Map.of("llama.attention.head_count", 0))))
        .isEqualTo("attention.head_count is 0: at least 1");
    assertThat(problem(Variant.of(model, Map.of("llama.attention.head_count_kv", 3))))
        .isEqualTo("8 heads do not share 3 key heads");
    assertThat(problem(Variant.of(model, Map.of("llama.rope.dimension_count", 16))))
        .isEqualTo("rope turns 16 numbers of heads of 32");
    assertThat(problem(Variant.of(model, Map.of("llama.feed_forward_length", 511))))
        .isEqualTo("tensor blk.0.ffn_gate.weight is 512×256, the model's shape needs 511×256");
    assertThat(problem(Variant.of(model, Map.of("llama.block_count", 3))))
        .startsWith("has no tensor blk.2.attn_norm.weight");
    assertThat(problem(Variant.of(model, Map.of("llama.rope.scaling.type", "longrope"))))
        .isEqualTo("rope scaling 'longrope' is not supported");
    assertThat(problem(Variant.of(model, Map.of("llama.expert_count", 8))))
        .isEqualTo("mixtures of experts are not supported");
    for (String key : List.of("attention.scale", "attention.clamp_kqv", "logit_scale")) {
      assertThat(problem(Variant.of(model, Map.of("llama." + key, 0.5f))))
          .isEqualTo("llama." + key + " is not supported");
    }
    assertThat(problem(Variant.of(model, Map.of("llama.attention.causal", false))))
        .isEqualTo("llama.attention.causal = false is not supported");
    assertThat(problem(Variant.of(model, Map.of("general.architecture", "mamba"))))
        .isEqualTo(
            "architecture 'mamba' writes no text here; llama, qwen2, qwen3, gemma3 and gpt2 do");
    assertThat(problem(Variant.of(model, Map.of(), Set.of("blk.1.ffn_norm.weight"))))
        .startsWith("has no tensor blk.1.ffn_norm.weight");
  }

  @Test
  void aTensorThatNobodyWouldTakeIsNamed() {
    Path model = write(SynthShape.LLAMA_TINY);
    assertThat(problem(Variant.of(model, Map.of("llama.block_count", 1))))
        .startsWith("the tensor blk.1.")
        .endsWith(" is not supported: a llama with a block_count of 1 has none such");
    assertThat(problem(Variant.renamed(model, "output.weight", "x")))
        .startsWith("the tensor x is not supported: ");
  }

  @Test
  void aQwen2WithoutItsBiasesIsRefused() {
    Path model = write(SynthShape.QWEN2_TINY);
    Set<String> biases;
    try (Gguf file = Gguf.open(model)) {
      biases =
          file.tensors().stream()
              .map(GgufTensor::name)
              .filter(name -> name.endsWith(".bias"))
              .collect(Collectors.toSet());
    }
    assertThat(problem(Variant.of(model, Map.of(), biases)))
        .startsWith("has no tensor blk.0.attn_q.bias");
  }
}
