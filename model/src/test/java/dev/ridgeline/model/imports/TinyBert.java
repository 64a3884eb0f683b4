package dev.ridgeline.model.imports;

import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One small BERT as an exporter to ONNX writes it and as Hugging Face keeps it. */
final class TinyBert {
  static final BertShape SHAPE =
      new BertShape(Sizes.of(8, 16, 2, 32, 64, 4), 2, 1e-12f, Pooling.MEAN);
  private static final List<String> TOKENS =
      List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "c");

  private TinyBert() {}

  /** The numbers of a weight, the same in both files. */
  static float[] numbers(Slot slot) {
    Random random = new Random(slot.original().hashCode());
    float[] numbers = new float[(int) (slot.rows() * slot.columns())];
    for (int i = 0; i < numbers.length; i++) numbers[i] = random.nextFloat() - 0.5f;
    return numbers;
  }

  static byte[] onnx() {
    return new Proto().number(1, 6).message(7, graph(new Proto())).bytes();
  }

  /** The same with something more in its graph. */
  static byte[] onnx(Proto graph) {
    return new Proto().number(1, 6).message(7, graph(graph)).bytes();
  }

  private static Proto graph(Proto graph) {
    int count = 0;
    Proto tensors = new Proto();
    for (Slot slot : SHAPE.slots()) {
      float[] numbers = numbers(slot);
      if (slot.kind() != Slot.Kind.MATRIX) {
        tensors.message(5, tensor(slot.original(), shape(slot), numbers));
        continue;
      }
      String place = slot.original().replace(".weight", "");
      String made = "onnx::MatMul_" + count++;
      tensors.message(5, tensor(made, List.of(slot.columns(), slot.rows()), turned(slot, numbers)));
      String product = place + "/product";
      graph.message(1, node("MatMul", "", List.of("x", made), product));
      graph.message(1, node("Add", "", List.of(place + ".bias", product), place + "/sum"));
    }
    graph.message(1, node("Erf", "", List.of("x"), "erf"));
    graph.message(1, constant("heads", 7, List.of(1L), little(8).putLong(SHAPE.heads())));
    graph.message(1, constant("each", 7, List.of(1L), little(8).putLong(8)));
    graph.message(1, node("Concat", "", List.of("b", "t", "heads", "each"), "split"));
    graph.message(1, node("Reshape", "", List.of("q", "split"), "rows"));
    graph.message(1, constant("epsilon", 1, List.of(), little(4).putFloat(SHAPE.epsilon())));
    graph.message(1, node("Add", "", List.of("variance", "epsilon"), "positive"));
    graph.message(1, node("Sqrt", "", List.of("positive"), "deviation"));
    return graph.raw(tensors.bytes());
  }

  static Proto node(String operation, String name, List<String> inputs, String output) {
    Proto node = new Proto();
    inputs.forEach(input -> node.string(1, input));
    return node.string(2, output).string(3, name).string(4, operation);
  }

  private static Proto constant(String output, int type, List<Long> shape, ByteBuffer value) {
    Proto tensor = new Proto();
    shape.forEach(length -> tensor.number(1, length));
    tensor.number(2, type).bytes(9, value.array());
    Proto attribute = new Proto().string(1, "value").message(5, tensor).number(20, 4);
    return node("Constant", "", List.of(), output).message(5, attribute);
  }

  private static Proto tensor(String name, List<Long> shape, float[] numbers) {
    Proto tensor = new Proto();
    shape.forEach(length -> tensor.number(1, length));
    return tensor.number(2, 1).string(8, name).bytes(9, bytes(numbers));
  }

  static List<Long> shape(Slot slot) {
    return slot.vector() ? List.of(slot.columns()) : List.of(slot.rows(), slot.columns());
  }

  private static float[] turned(Slot slot, float[] numbers) {
    int rows = (int) slot.rows();
    int columns = (int) slot.columns();
    float[] turned = new float[numbers.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        turned[column * rows + row] = numbers[row * columns + column];
      }
    }
    return turned;
  }

  private static byte[] bytes(float[] numbers) {
    ByteBuffer bytes = little(4 * numbers.length);
    for (float number : numbers) bytes.putFloat(number);
    return bytes.array();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A safetensors file of these tensors. */
  static byte[] safetensors(List<Slot> slots, String prefix) {
    Map<String, String> entries = new LinkedHashMap<>();
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (Slot slot : slots) {
      int from = data.size();
      data.writeBytes(bytes(numbers(slot)));
      entries.put(
          prefix + slot.original(),
          "{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
              .formatted(shape(slot), from, data.size()));
    }
    String header =
        entries.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
            .collect(Collectors.joining(",", "{\"__metadata__\":{\"format\":\"pt\"},", "}"));
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    return little(8 + text.length + data.size())
        .putLong(text.length)
        .put(text)
        .put(data.toByteArray())
        .array();
  }

  static Path writeOnnx(Path folder) throws IOException {
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
    return Files.write(folder.resolve("model.onnx"), onnx());
  }

  static Path writeFolder(Path folder) throws IOException {
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "bert", "hidden_act": "gelu", "hidden_size": 32, "num_hidden_layers": 2,
         "intermediate_size": 64, "num_attention_heads": 4, "max_position_embeddings": 16,
         "layer_norm_eps": 1e-12}
        """);
    Files.write(folder.resolve("model.safetensors"), safetensors(SHAPE.slots(), "bert."));
    return folder;
  }

  private static String tokenizer() {
    String vocabulary =
        IntStream.range(0, TOKENS.size())
            .mapToObj(id -> "\"%s\": %d".formatted(TOKENS.get(id), id))
            .collect(Collectors.joining(", "));
    String special =
        IntStream.range(0, 5)
            .mapToObj(
                id ->
                    """
                    {"id": %d, "content": "%s", "single_word": false, "lstrip": false,
                     "rstrip": false, "normalized": false, "special": true}\
                    """
                        .formatted(id, TOKENS.get(id)))
            .collect(Collectors.joining(",\n"));
    return """
    {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [%s],
     "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
       "strip_accents": null, "lowercase": false},
     "pre_tokenizer": {"type": "BertPreTokenizer"},
     "post_processor": {"type": "TemplateProcessing",
       "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
         {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]},
     "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
       "max_input_chars_per_word": 100, "vocab": {%s}}}
    """
        .formatted(special, vocabulary);
  }
}
