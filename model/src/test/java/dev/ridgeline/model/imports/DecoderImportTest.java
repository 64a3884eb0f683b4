package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Made-up decoders of every kind, published as Hugging Face keeps them and brought back. */
@Execution(CONCURRENT)
class DecoderImportTest {
  /** What the way there and back may change: it says more than the model did. */
  private static final Set<String> DIFFERENT =
      Set.of(
          "general.name",
          "ridgeline.synth.seed",
          "tokenizer.chat_template",
          "tokenizer.ggml.add_space_prefix",
          "tokenizer.ggml.add_bos_token",
          "tokenizer.ggml.add_eos_token",
          "tokenizer.ggml.eot_token_id",
          "tokenizer.ggml.eom_token_id",
          "tokenizer.ggml.mask_token_id",
          "tokenizer.ggml.unknown_token_id");

  @TempDir private Path folder;

  private Path imported() {
    Path out = folder.resolve("out.gguf");
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      model.write(out, TensorType.F32, _ -> {});
    }
    return out;
  }

  @ParameterizedTest
  @EnumSource(
      names = {"LLAMA_TINY", "LLAMA3_TINY", "QWEN2_TINY", "QWEN3_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  void everyNumberAndKeyComesBack(SynthShape shape) throws IOException {
    HuggingFaceModel model = new HuggingFaceModel(shape, folder);
    model.write();
    try (Gguf expected = Gguf.open(model.gguf);
        Gguf actual = Gguf.open(imported())) {
      assertSameTensors(actual, expected);
      Set<String> keys = new TreeSet<>(expected.metadata().keys());
      keys.removeAll(DIFFERENT);
      for (String key : keys) {
        assertThat(actual.metadata().value(key)).as(key).isEqualTo(expected.metadata().value(key));
      }
      keys.addAll(DIFFERENT);
      keys.add("tokenizer.ggml.bos_token_id"); // a token of this name is one, used or not
      assertThat(keys).containsAll(actual.metadata().keys());
      assertThat(actual.metadata().string("tokenizer.chat_template")).isEqualTo("{{ bos_token }}");
    }
  }

  @Test
  void shardsAreOneModel() throws IOException {
    HuggingFaceModel model = new HuggingFaceModel(SynthShape.LLAMA3_TINY, folder);
    model.write();
    model.shard();
    try (Gguf expected = Gguf.open(model.gguf);
        Gguf actual = Gguf.open(imported())) {
      assertSameTensors(actual, expected);
    }
    Files.delete(folder.resolve("model-00002-of-00002.safetensors"));
    assertThatThrownBy(this::imported)
        .isInstanceOf(ImportException.class)
        .hasMessageEndingWith("model-00002-of-00002.safetensors: no such file or directory");
  }

  private static void assertSameTensors(Gguf actual, Gguf expected) {
    assertThat(actual.tensors()).extracting(GgufTensor::name).hasSameSizeAs(expected.tensors());
    for (GgufTensor tensor : expected.tensors()) {
      GgufTensor other = actual.tensor(tensor.name());
      assertThat(other.shape()).as(tensor.name()).isEqualTo(tensor.shape());
      assertThat(other.data().mismatch(tensor.data())).as(tensor.name()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void halfPrecisionBecomesWhatItMeans(ElementType type) throws IOException {
    HuggingFaceModel model = new HuggingFaceModel(SynthShape.QWEN3_TINY, folder);
    model.write();
    model.write(type);
    try (Gguf expected = Gguf.open(model.gguf);
        Gguf actual = Gguf.open(imported())) {
      for (GgufTensor tensor : expected.tensors()) {
        float[] numbers = tensor.data().toArray(JAVA_FLOAT_UNALIGNED);
        for (int i = 0; i < numbers.length; i++) numbers[i] = rounded(numbers[i], type);
        assertThat(actual.tensor(tensor.name()).data().toArray(JAVA_FLOAT_UNALIGNED))
            .as(tensor.name())
            .isEqualTo(numbers);
      }
    }
  }

  private static float rounded(float number, ElementType type) {
    return type == ElementType.F16
        ? Float.float16ToFloat(Float.floatToFloat16(number))
        : Float.intBitsToFloat(Float.floatToRawIntBits(number) & 0xffff0000);
  }

  @Test
  void aTypeThatDoesNotFitSaysWhatBecomesOfIt() throws IOException {
    new HuggingFaceModel(SynthShape.QWEN3_TINY, folder).write();
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThat(model.substitutes(TensorType.Q8_0)).isNull();
      assertThat(model.substitutes(TensorType.Q4_K))
          .isEqualTo(
              "q4_k needs rows that are multiples of 256; 15 of 15 matrices (rows of 96 and 128"
                  + " and 160) become q8_0 and q5_0");
    }
  }

  @Test
  void aWindowInAllLayersIsTheContext() throws IOException {
    new HuggingFaceModel(SynthShape.LLAMA_TINY, folder).write();
    edit("\"use_sliding_window\": false", "\"sliding_window\": 64");
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThat(model.notes())
          .containsExactly("context 64: its layers see no further (sliding_window)");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "hidden_size": 256         | "hidden_size": 255, "x": 0   | has shape
          "hidden_size": 256         | "hidden_size": 1e9           | hidden_size is 1000000000
          "num_hidden_layers": 2     | "num_hidden_layers": 3       | has no tensor layers.2.
          "num_hidden_layers": 2     | "num_hidden_layers": 1       | the tensor model.layers.1.input_layernorm.weight is not supported
          "rope_theta": 10000.0      | "mlp_bias": true             | mlp_bias is true
          "rope_theta": 10000.0      | "attention_bias": true       | attention_bias is true
          "rope_theta": 10000.0      | "quantization_config": {"quant_method": "gptq"} | quantization_config is set
          "num_hidden_layers": 2     | "num_hidden_layers": 99999   | num_hidden_layers is 99999
          "head_dim": 32             | "head_dim": 31               | rope turns 31 numbers
          "num_key_value_heads": 2   | "num_key_value_heads": 3     | 8 heads do not share 3
          "model_type": "llama"      | "model_type": "mamba"        | model_type is mamba
          "rope_theta": 10000.0      | "rope_scaling": {"type": "dynamic"}      | is dynamic, which
          "rope_theta": 10000.0      | "rope_scaling": {"type": "llama3"}       | rope_scaling.factor is missing
          "rope_theta": 10000.0      | "partial_rotary_factor": 0.5 | partial_rotary_factor is not 1
          "rope_theta": 10000.0      | "hidden_act": "relu"         | hidden_act is relu
          """)
  void aConfigThatCannotBeIsRefused(String from, String to, String reason) throws IOException {
    new HuggingFaceModel(SynthShape.LLAMA_TINY, folder).write();
    edit(from, to);
    assertThatThrownBy(this::imported)
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith(folder.toString())
        .hasMessageContaining(reason);
    assertThat(folder.resolve("out.gguf")).doesNotExist();
  }

  @Test
  void aTensorThatNobodyTakesIsRefusedAndWhatSaversLeaveIsNot() throws IOException {
    HuggingFaceModel model = new HuggingFaceModel(SynthShape.LLAMA_TINY, folder);
    model.write();
    write(model, SynthShape.LLAMA_TINY, "layers.0.self_attn.rotary_emb.inv_freq");
    imported();
    write(model, SynthShape.LLAMA_TINY, "foo.bar");
    assertThatThrownBy(this::imported)
        .isInstanceOf(ImportException.class)
        .hasMessage(
            folder.resolve("model.safetensors")
                + ": the tensor model.foo.bar is not supported: a llama of 2 layers has none such");
  }

  private void write(HuggingFaceModel model, SynthShape shape, String more) throws IOException {
    List<Slot> slots = new ArrayList<>(shape.architecture().slots());
    Slot norm = slots.stream().filter(slot -> slot.kind() == Slot.Kind.NORM).findFirst().get();
    slots.add(new Slot(norm.name(), more, norm.kind(), norm.rows(), norm.columns()));
    write(model, slots);
  }

  private void write(HuggingFaceModel model, List<Slot> slots) throws IOException {
    byte[] bytes = model.safetensors(slots, ElementType.F32);
    Files.write(folder.resolve("model.safetensors"), bytes);
  }

  @Test
  void aQwen2WithoutItsBiasesIsRefused() throws IOException {
    HuggingFaceModel model = new HuggingFaceModel(SynthShape.QWEN2_TINY, folder);
    model.write();
    List<Slot> slots = new ArrayList<>(SynthShape.QWEN2_TINY.architecture().slots());
    slots.removeIf(slot -> slot.kind() == Slot.Kind.BIAS);
    write(model, slots);
    assertThatThrownBy(this::imported)
        .hasMessageEndingWith("has no tensor layers.0.self_attn.q_proj.bias");
  }

  @Test
  void headsThatTheConfigContradictsAreRefused() throws IOException {
    new HuggingFaceModel(SynthShape.GPT2_TINY, folder).write();
    assertThatThrownBy(() -> ModelImport.open(folder, new Options(null, null, 99, null)))
        .isInstanceOf(ImportException.class)
        .hasMessageEndingWith("heads, not 99 (--heads)");
  }

  @Test
  void anEndThatIsNoTokenIsRefused() throws IOException {
    new HuggingFaceModel(SynthShape.LLAMA_TINY, folder).write();
    Path config = folder.resolve("tokenizer_config.json");
    Files.writeString(config, "{\"pad_token\": \"nope\"}");
    imported();
    Files.writeString(config, "{\"eos_token\": \"nope\"}");
    assertThatThrownBy(this::imported)
        .hasMessage(config + ": eos_token is 'nope', which is no token");
  }

  private void edit(String from, String to) throws IOException {
    Path config = folder.resolve("config.json");
    String text = Files.readString(config);
    assertThat(text).contains(from);
    Files.writeString(config, text.replace(from, to));
  }
}
