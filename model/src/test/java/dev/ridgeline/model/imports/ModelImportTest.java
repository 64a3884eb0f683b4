package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelImportTest {
  @TempDir private Path folder;

  private Path imported(Path in, TensorType type) {
    Path out = folder.resolve("out.gguf");
    try (ModelImport model = ModelImport.open(in, Options.NONE)) {
      model.write(out, type, step -> {});
    }
    return out;
  }

  private static void refuses(Path in, String... reasons) {
    assertThatThrownBy(() -> ModelImport.open(in, Options.NONE))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith(in.getParent().toString())
        .hasMessageContainingAll(reasons);
  }

  @Test
  void anOnnxGraphBecomesTheWeightsItWasExportedFrom() throws IOException {
    holdsTheWeights(imported(TinyBert.writeOnnx(folder), TensorType.F32));
  }

  @Test
  void aHuggingFaceFolderBecomesTheSameWeights() throws IOException {
    holdsTheWeights(imported(TinyBert.writeFolder(folder), TensorType.F32));
  }

  private static void holdsTheWeights(Path file) {
    try (Gguf gguf = Gguf.open(file)) {
      assertThat(gguf.tensors()).hasSameSizeAs(TinyBert.SHAPE.slots());
      for (Slot slot : TinyBert.SHAPE.slots()) {
        GgufTensor tensor = gguf.tensor(slot.name());
        assertThat(tensor.columns()).as(slot.name()).isEqualTo(slot.columns());
        assertThat(tensor.data().toArray(JAVA_FLOAT_UNALIGNED))
            .as(slot.name())
            .isEqualTo(TinyBert.numbers(slot));
      }
      assertThat(gguf.metadata().string("general.architecture")).isEqualTo("bert");
      assertThat(gguf.metadata().integer("bert.attention.head_count")).isEqualTo(4);
      assertThat(gguf.metadata().integer("bert.block_count")).isEqualTo(2);
      assertThat(gguf.metadata().integer("bert.pooling_type")).isEqualTo(1);
      assertThat(gguf.metadata().floating("bert.attention.layer_norm_epsilon")).isEqualTo(1e-12f);
      assertThat(gguf.metadata().strings("tokenizer.ggml.tokens"))
          .containsExactly("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁a", "b", "▁c");
    }
  }

  @Test
  void theVocabularyReadsTextsAsTheTokenizerJsonSays() throws IOException {
    try (Gguf gguf = Gguf.open(imported(TinyBert.writeFolder(folder), TensorType.F32))) {
      Tokenizer tokenizer = Tokenizers.of(gguf.metadata());
      Tokens tokens = new Tokens();
      tokenizer.encode("ab c A", tokens);
      // A capital is another letter: this vocabulary does not fold case.
      assertThat(Arrays.copyOf(tokens.ids(), tokens.size())).containsExactly(2, 5, 6, 7, 1, 3);
    }
  }

  @Test
  void onlyMatricesAreStoredInFewBits() throws IOException {
    try (Gguf gguf = Gguf.open(imported(TinyBert.writeFolder(folder), TensorType.Q8_0))) {
      for (Slot slot : TinyBert.SHAPE.slots()) {
        TensorType expected = slot.quantizable() ? TensorType.Q8_0 : TensorType.F32;
        assertThat(gguf.tensor(slot.name()).type()).as(slot.name()).isEqualTo(expected);
      }
    }
  }

  @Test
  void rowsThatDoNotFillBlocksTakeTheNextBetterType() {
    assertThat(stored(FileType.Q4_K_M, 384)).isEqualTo(TensorType.Q5_0);
    assertThat(stored(FileType.Q6_K, 384)).isEqualTo(TensorType.Q8_0);
    assertThat(stored(FileType.Q4_K_M, 768)).isEqualTo(TensorType.Q4_K);
    assertThat(stored(FileType.Q4_K_M, 40)).isEqualTo(TensorType.F16);
  }

  private static TensorType stored(FileType type, long columns) {
    Mix.Part part = new Mix.Part("blk.0.attn_q.weight", TensorType.F32, columns, true);
    return new Mix(type, 1, 0, List.of(part)).of(part);
  }

  @Test
  void aFolderOfShardsIsReadByItsIndex() throws IOException {
    TinyBert.writeFolder(folder);
    var slots = TinyBert.SHAPE.slots();
    Files.delete(folder.resolve("model.safetensors"));
    Files.write(folder.resolve("a.safetensors"), TinyBert.safetensors(slots.subList(0, 9), ""));
    Files.write(
        folder.resolve("b.safetensors"), TinyBert.safetensors(slots.subList(9, slots.size()), ""));
    Path index = folder.resolve("model.safetensors.index.json");
    Files.writeString(
        index,
        """
        {"weight_map": {"embeddings.word_embeddings.weight": "a.safetensors",
          "encoder.layer.1.output.LayerNorm.bias": "b.safetensors"}}
        """);
    holdsTheWeights(imported(folder, TensorType.F32));
    Files.writeString(index, "{\"weight_map\": {\"x\": \"../a.safetensors\"}}");
    refuses(folder, "index.json", "not next to it");
  }

  @Test
  void thePoolingOfTheModulesCounts() throws IOException {
    TinyBert.writeFolder(folder);
    Files.writeString(
        folder.resolve("modules.json"),
        "[{\"path\": \"1_Pooling\", \"type\": \"sentence_transformers.models.Pooling\"}]");
    Files.createDirectory(folder.resolve("1_Pooling"));
    Files.writeString(
        folder.resolve("1_Pooling/config.json"), "{\"pooling_mode_cls_token\": true}");
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThat(model.architecture()).extracting("pooling").isEqualTo(Pooling.CLS);
      assertThat(model.notes()).isEmpty();
    }
  }

  @Test
  void aGuessIsSaidAloud() throws IOException {
    try (ModelImport model = ModelImport.open(TinyBert.writeOnnx(folder), Options.NONE)) {
      assertThat(model.notes()).containsExactly("pooling mean: nothing says otherwise (--pooling)");
    }
  }

  @Test
  void whatIsNotSupportedIsRefusedByName() throws IOException {
    TinyBert.writeFolder(folder);
    Path config = folder.resolve("config.json");
    String bert = Files.readString(config);
    Files.writeString(config, bert.replace("\"bert\"", "\"roberta\""));
    refuses(folder, "config.json", "roberta");
    Files.writeString(config, bert.replace("\"gelu\"", "\"relu\""));
    refuses(folder, "config.json", "relu");
    Files.writeString(config, bert.replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"));
    refuses(folder, "has no tensor encoder.layer.2.attention.self.query.weight");
    Files.writeString(
        config, bert.replace("\"intermediate_size\": 64", "\"intermediate_size\": 32"));
    refuses(folder, "intermediate.dense.weight has shape [64, 32] instead of 32 × 32");
  }

  @Test
  void quantizedAndFusedGraphsAreRefused() throws IOException {
    Path file = TinyBert.writeOnnx(folder);
    for (String operation : new String[] {"MatMulInteger", "Attention"}) {
      Proto more =
          new Proto().message(1, TinyBert.node(operation, "", java.util.List.of("x"), "more"));
      Files.write(file, TinyBert.onnx(more));
      refuses(file, operation);
    }
  }

  @Test
  void numbersThatAreNoneAreRefusedAndNothingIsWritten() throws IOException {
    byte[] bytes = TinyBert.safetensors(TinyBert.SHAPE.slots(), "");
    TinyBert.writeFolder(folder);
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xc0;
    Files.write(folder.resolve("model.safetensors"), bytes);
    Path out = folder.resolve("out.gguf");
    try (ModelImport model = ModelImport.open(folder, Options.NONE)) {
      assertThatThrownBy(() -> model.write(out, TensorType.F32, step -> {}))
          .isInstanceOf(ImportException.class)
          .hasMessageContaining("encoder.layer.1.output.LayerNorm.bias holds NaN");
    }
    try (var files = Files.list(folder)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.contains("gguf"));
    }
  }

  @Test
  void anEndlessNumberOfTheTokenizerIsToldInPlainWords() throws IOException {
    TinyBert.writeFolder(folder);
    Path tokenizer = folder.resolve("tokenizer.json");
    String text = Files.readString(tokenizer);
    Files.writeString(tokenizer, text.replace("\"c\": 7", "\"c\": " + "7".repeat(100_000)));
    assertThatThrownBy(() -> ModelImport.open(folder, Options.NONE))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith(
            tokenizer + ": has a text or a number that is too long, or is nested too deep");
  }

  @Test
  void whatIsNoJsonIsToldInPlainWords() throws IOException {
    Path folder = Files.createDirectory(this.folder.resolve("damaged"));
    Files.createFile(folder.resolve("model.safetensors"));
    Path config = folder.resolve("config.json");
    Map<String, String> reasons =
        Map.of(
            "",
            "is not JSON: it is empty",
            "{\"a\": 1",
            "is not JSON: it ends too early",
            "{\n  \"a\": oops}",
            "is not JSON at line 2, column 8",
            "{\"a\": 123456789012345678901}",
            "has a number that is too large at line 1, column ",
            "[".repeat(100),
            "has a text or a number that is too long, or is nested too deep");
    for (var each : reasons.entrySet()) {
      Files.writeString(config, each.getKey());
      assertThatThrownBy(() -> ModelImport.open(folder, Options.NONE))
          .isInstanceOf(ImportException.class)
          .hasMessageStartingWith(config + ": " + each.getValue());
    }
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    refuses(folder.resolve("nothing.onnx"), "no such file");
    refuses(Files.writeString(folder.resolve("a.gguf"), "x"), "is GGUF already");
    refuses(Files.writeString(folder.resolve("a.txt"), "x"), "neither .onnx nor .safetensors");
    refuses(Files.createDirectory(folder.resolve("empty")), "has neither");
  }
}
