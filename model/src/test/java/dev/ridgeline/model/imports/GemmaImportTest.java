package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small EmbeddingGemma as Hugging Face keeps it. */
class GemmaImportTest {
  private static final DecoderShape SHAPE =
      new DecoderShape(
          DecoderFamily.GEMMA_EMBEDDING,
          new Sizes(12, 64, 2, 32, 48, 3, 1, 16),
          Rope.of(16, 1e6f),
          false,
          new DecoderShape.Windows(8, 2, 1e4f),
          1e-6f,
          false,
          true,
          Pooling.MEAN,
          64);

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    List<Slot> slots = SHAPE.slots();
    List<Slot> model = slots.subList(0, slots.size() - 2);
    Files.write(folder.resolve("model.safetensors"), TinyBert.safetensors(model, ""));
    for (int i = 1; i <= 2; i++) {
      Slot dense = slots.get(slots.size() - 3 + i);
      Slot linear =
          new Slot(dense.name(), "linear.weight", Slot.Kind.MATRIX, dense.rows(), dense.columns());
      Path place = Files.createDirectory(folder.resolve((i + 1) + "_Dense"));
      Files.write(place.resolve("model.safetensors"), TinyBert.safetensors(List.of(linear), ""));
      Files.writeString(place.resolve("config.json"), "{\"in_features\": 1}");
    }
    Files.createDirectory(folder.resolve("1_Pooling"));
    Files.writeString(
        folder.resolve("1_Pooling/config.json"), "{\"pooling_mode_mean_tokens\": true}");
    Files.writeString(
        folder.resolve("modules.json"),
        """
        [{"path": "", "type": "sentence_transformers.models.Transformer"},
         {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
         {"path": "2_Dense", "type": "sentence_transformers.models.Dense"},
         {"path": "3_Dense", "type": "sentence_transformers.models.Dense"}]
        """);
    Files.writeString(
        folder.resolve("config_sentence_transformers.json"),
        "{\"prompts\": {\"query\": \"task: search result | query: \"}}");
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "gemma3_text", "hidden_activation": "gelu_pytorch_tanh", "head_dim": 16,
         "use_bidirectional_attention": true, "query_pre_attn_scalar": 16, "hidden_size": 32,
         "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 3,
         "num_key_value_heads": 1, "max_position_embeddings": 64, "sliding_window": 8,
         "layer_types": ["sliding_attention", "full_attention"], "rope_theta": 1000000.0,
         "rope_local_base_freq": 10000.0, "rms_norm_eps": 1e-06, "attn_logit_softcapping": null}
        """);
    Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"added_tokens": [{"id": 0, "content": "<pad>", "special": true},
           {"id": 1, "content": "<eos>", "special": true},
           {"id": 2, "content": "<bos>", "special": true}],
         "post_processor": {"type": "TemplateProcessing", "single": [
           {"SpecialToken": {"id": "<bos>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
           {"SpecialToken": {"id": "<eos>", "type_id": 0}}]},
         "model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": true,
           "vocab": {"<pad>": 0, "<eos>": 1, "<bos>": 2, "<unk>": 3, "<0x21>": 4, "▁": 5, "a": 6,
             "b": 7, "ab": 8, "ba": 9, "▁a": 10},
           "merges": [["b", "a"], ["a", "b"], ["▁", "a"]]}}
        """);
  }

  private Gguf imported() {
    Path out = folder.resolve("out.gguf");
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThat(model.architecture()).isEqualTo(SHAPE);
      model.write(out, TensorType.F32, step -> {});
    }
    return Gguf.open(out);
  }

  @Test
  void normsGetTheOneThatGemmaLeavesOut() {
    try (Gguf gguf = imported()) {
      for (Slot slot : SHAPE.slots().subList(0, SHAPE.slots().size() - 2)) {
        float[] expected = TinyBert.numbers(slot);
        if (slot.kind() == Slot.Kind.NORM) {
          for (int i = 0; i < expected.length; i++) expected[i] += 1;
        }
        assertThat(gguf.tensor(slot.name()).data().toArray(JAVA_FLOAT_UNALIGNED))
            .as(slot.name())
            .isEqualTo(expected);
      }
      assertThat(gguf.tensor("dense_2.weight").shape()).containsExactly(32L, 64L);
      assertThat(gguf.tensor("dense_3.weight").shape()).containsExactly(64L, 32L);
      assertThat(gguf.metadata().string("ridgeline.prompt.query")).contains("search result");
    }
  }

  @Test
  void piecesMergeInTheOrderOfTheMerges() {
    try (Gguf gguf = imported()) {
      Tokenizer tokenizer = Tokenizers.of(gguf.metadata());
      Tokens tokens = new Tokens();
      tokenizer.encode("aba a!", tokens);
      // b and a go together before a and b do.
      assertThat(Arrays.copyOf(tokens.ids(), tokens.size())).containsExactly(2, 6, 9, 10, 4, 1);
    }
  }

  @Test
  void headsThatCannotShareTheirKeysAreRefused() throws IOException {
    Path config = folder.resolve("config.json");
    String text = Files.readString(config);
    Files.writeString(
        config, text.replace("\"num_key_value_heads\": 1", "\"num_key_value_heads\": 2"));
    assertThatThrownBy(() -> ModelImport.open(folder, Options.NONE))
        .isInstanceOf(ImportException.class)
        .hasMessage(folder + ": 3 heads do not share 2 key heads");
  }

  @Test
  void aGemmaThatSeesOnlyWhatIsBehindIsADecoder() throws IOException {
    Path config = folder.resolve("config.json");
    String text = Files.readString(config);
    Files.writeString(config, text.replace("use_bidirectional_attention\": true", "x\": true"));
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThat(model.architecture().word()).isEqualTo("gemma3");
    }
  }
}
