package dev.ridgeline.bench.jlama;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** A Llama of the shape of stories15M with random weights: time does not depend on their values. */
final class RandomModel {
  private static final int WIDTH = 288;
  private static final int HIDDEN = 768;
  private static final int LAYERS = 6;
  private static final int HEADS = 6;
  private static final int WORDS = 32_000;

  private RandomModel() {}

  static void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(folder.resolve("model.safetensors")))) {
      weights(out);
    }
    // Last: the model is there when this is.
    Files.writeString(folder.resolve("config.json"), config());
  }

  private static String config() {
    return """
    {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_act": "silu",
     "hidden_size": %d, "intermediate_size": %d, "num_attention_heads": %d,
     "num_key_value_heads": %d, "num_hidden_layers": %d, "vocab_size": %d,
     "max_position_embeddings": 256, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
     "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "float32"}
    """
        .formatted(WIDTH, HIDDEN, HEADS, HEADS, LAYERS, WORDS);
  }

  private static String tokenizer() {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      words.append(i == 0 ? "" : ",").append('"').append("w").append(i).append("\":").append(i);
    }
    return "{\"model\": {\"type\": \"BPE\", \"vocab\": {" + words + "}, \"merges\": []}}";
  }

  private static Map<String, int[]> shapes() {
    Map<String, int[]> shapes = new LinkedHashMap<>();
    shapes.put("model.embed_tokens.weight", new int[] {WORDS, WIDTH});
    for (int layer = 0; layer < LAYERS; layer++) {
      String base = "model.layers." + layer + ".";
      for (String name : new String[] {"q", "k", "v", "o"}) {
        shapes.put(base + "self_attn." + name + "_proj.weight", new int[] {WIDTH, WIDTH});
      }
      shapes.put(base + "mlp.gate_proj.weight", new int[] {HIDDEN, WIDTH});
      shapes.put(base + "mlp.up_proj.weight", new int[] {HIDDEN, WIDTH});
      shapes.put(base + "mlp.down_proj.weight", new int[] {WIDTH, HIDDEN});
      shapes.put(base + "input_layernorm.weight", new int[] {WIDTH});
      shapes.put(base + "post_attention_layernorm.weight", new int[] {WIDTH});
    }
    shapes.put("model.norm.weight", new int[] {WIDTH});
    return shapes;
  }

  private static int size(int[] shape) {
    int size = 1;
    for (int length : shape) size *= length;
    return size;
  }

  private static void weights(OutputStream out) throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    long at = 0;
    for (var tensor : shapes().entrySet()) {
      long end = at + 4L * size(tensor.getValue());
      String shape =
          java.util.Arrays.stream(tensor.getValue())
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(","));
      entries.put(
          tensor.getKey(),
          "{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%d,%d]}".formatted(shape, at, end));
      at = end;
    }
    byte[] header =
        entries.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
            .collect(Collectors.joining(",", "{", "}"))
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.write(number.putLong(0, header.length).array());
    out.write(header);
    Random random = new Random(1);
    for (int[] shape : shapes().values()) {
      ByteBuffer values = ByteBuffer.allocate(4 * size(shape)).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < size(shape); i++) {
        values.putFloat((float) (0.05 * random.nextGaussian()));
      }
      out.write(values.array());
    }
  }
}
