package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.model.tokenizer.BytePairJson;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** A made-up decoder as its makers would have published it: all that an importer does, undone. */
public final class HuggingFaceModel {
  private final Shape shape;
  private final Path folder;

  /** The same model as it should be when it was imported. */
  public final Path gguf;

  public HuggingFaceModel(SynthShape synth, Path folder) {
    this.shape = synth.architecture();
    this.folder = folder;
    this.gguf = folder.resolve("expected.gguf");
    SynthModel.write(synth, TensorType.F32, SynthModel.SEED, gguf, _ -> {});
  }

  /** The folder with config, tokenizer and weights in one file. */
  public Path write() throws IOException {
    Files.writeString(folder.resolve("config.json"), config());
    tokenizer();
    Files.write(folder.resolve("model.safetensors"), safetensors(shape.slots(), ElementType.F32));
    return folder;
  }

  /** The weights in two files and an index. */
  void shard() throws IOException {
    List<Slot> slots = shape.slots();
    List<List<Slot>> parts = List.of(slots.subList(0, 3), slots.subList(3, slots.size()));
    StringJoiner index = new StringJoiner(",", "{\"weight_map\":{", "}}");
    for (int i = 0; i < parts.size(); i++) {
      String name = "model-0000%d-of-00002.safetensors".formatted(i + 1);
      Files.write(folder.resolve(name), safetensors(parts.get(i), ElementType.F32));
      for (Slot slot : parts.get(i)) {
        if (slot.kind() != Slot.Kind.FACTORS) {
          index.add("\"%s\":\"%s\"".formatted(published(slot), name));
        }
      }
    }
    Files.writeString(folder.resolve("model.safetensors.index.json"), index.toString());
    Files.delete(folder.resolve("model.safetensors"));
  }

  void write(ElementType type) throws IOException {
    Files.write(folder.resolve("model.safetensors"), safetensors(shape.slots(), type));
  }

  private String published(Slot slot) {
    boolean outside = slot.original().startsWith("lm_head");
    return outside ? slot.original() : prefix() + slot.original();
  }

  private String prefix() {
    return shape instanceof Gpt2Shape ? "transformer." : "model.";
  }

  byte[] safetensors(List<Slot> slots, ElementType type) {
    StringJoiner header = new StringJoiner(",", "{", "}");
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    try (Gguf file = Gguf.open(gguf)) {
      for (Slot slot : slots) {
        if (slot.kind() == Slot.Kind.FACTORS) continue; // makers give a formula
        float[] numbers = original(slot, file);
        boolean turned = slot.change() instanceof Change.Transposed;
        long rows = turned ? slot.columns() : slot.rows();
        long columns = turned ? slot.rows() : slot.columns();
        int from = data.size();
        data.writeBytes(bytes(numbers, type));
        header.add(
            "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                .formatted(
                    published(slot),
                    type,
                    slot.vector() ? List.of(columns) : List.of(rows, columns),
                    from,
                    data.size()));
      }
    }
    byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + text.length + data.size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(text.length)
        .put(text)
        .put(data.toByteArray())
        .array();
  }

  /** The numbers before they were changed for GGUF. */
  private static float[] original(Slot slot, Gguf file) {
    float[] now = file.tensor(slot.name()).data().toArray(JAVA_FLOAT_UNALIGNED);
    float[] before = new float[now.length];
    int columns = (int) slot.columns();
    int rows = (int) slot.rows();
    for (int i = 0; i < now.length; i++) {
      int row = i / columns;
      int column = i % columns;
      switch (slot.change()) {
        case Change.None _ -> before[i] = now[i];
        case Change.PlusOne _ -> before[i] = now[i] - 1;
        case Change.Transposed _ -> before[column * rows + row] = now[i];
        case Change.Interleaved(int heads) -> {
          int outputs = slot.vector() ? columns : rows;
          int width = outputs / heads;
          int output = slot.vector() ? column : row;
          int pair = output % width / 2;
          int half = output % 2;
          int place = output / width * width + half * width / 2 + pair;
          before[slot.vector() ? place : place * columns + column] = now[i];
        }
      }
    }
    return before;
  }

  private static byte[] bytes(float[] numbers, ElementType type) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (float number : numbers) {
      switch (type) {
        case F32 -> bytes.putFloat(number);
        case F16 -> bytes.putShort(Float.floatToFloat16(number));
        case BF16 -> bytes.putShort((short) (Float.floatToRawIntBits(number) >>> 16));
        default -> throw new IllegalArgumentException(type.toString());
      }
    }
    return bytes.array();
  }

  private String config() {
    return switch (shape) {
      case Gpt2Shape s ->
          """
          {"model_type": "gpt2", "n_embd": %d, "n_layer": %d, "n_head": %d, "n_inner": null,
           "activation_function": "gelu_new", "layer_norm_epsilon": %s}
          """
              .formatted(s.width(), s.layers(), s.heads(), s.epsilon());
      case DecoderShape s -> config(s);
      default -> throw new IllegalArgumentException(shape.word());
    };
  }

  private static String config(DecoderShape s) {
    boolean gemma = s.windows() != null;
    String more = "";
    if (gemma) {
      more =
          """
          ,"hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": %d,
           "sliding_window": %d, "sliding_window_pattern": %d, "rope_local_base_freq": %s
          """
              .formatted(
                  s.headWidth(), s.windows().tokens(), s.windows().pattern(), s.windows().base());
    } else if (s.ropeFactors()) {
      more =
          """
          ,"rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0,
           "high_freq_factor": 4.0, "original_max_position_embeddings": %d}
          """
              .formatted(s.context() / 16);
    }
    return """
    {"model_type": "%s", "hidden_size": %d, "intermediate_size": %d, "num_hidden_layers": %d,
     "num_attention_heads": %d, "num_key_value_heads": %d, "head_dim": %d,
     "max_position_embeddings": %d, "rms_norm_eps": %s, "rope_theta": %s,
     "tie_word_embeddings": %s, "use_sliding_window": %s%s}
    """
        .formatted(
            gemma ? "gemma3_text" : s.word(),
            s.width(),
            s.hidden(),
            s.layers(),
            s.heads(),
            s.kvHeads(),
            s.headWidth(),
            s.context(),
            s.epsilon(),
            s.rope().base(),
            s.tied(),
            gemma,
            more);
  }

  private void tokenizer() throws IOException {
    try (Gguf file = Gguf.open(gguf)) {
      Metadata metadata = file.metadata();
      String key = "tokenizer.ggml.";
      List<String> tokens = metadata.strings(key + "tokens");
      int[] kinds = metadata.integers(key + "token_type");
      if (metadata.string(key + "model").equals("gpt2")) {
        String json =
            BytePairJson.of(
                published(tokens, kinds),
                metadata.strings(key + "merges"),
                metadata.string(key + "pre"));
        Files.writeString(folder.resolve("tokenizer.json"), json);
      } else {
        Files.write(
            folder.resolve("tokenizer.model"),
            pieces(metadata, tokens, metadata.floats(key + "scores"), kinds));
      }
      StringJoiner config = new StringJoiner(",", "{", "}");
      for (String name : List.of("bos", "eos", "padding")) {
        if (!metadata.has(key + name + "_token_id")) continue;
        String token = tokens.get(metadata.integer(key + name + "_token_id"));
        String place = name.equals("padding") ? "pad_token" : name + "_token";
        // Written in both of the ways that are in use.
        config.add(
            name.equals("bos")
                ? "\"%s\":{\"content\":\"%s\"}".formatted(place, token)
                : "\"%s\":\"%s\"".formatted(place, token));
      }
      for (String flag : List.of("add_bos_token", "add_eos_token")) {
        if (metadata.has(key + flag)) {
          config.add("\"%s\":%s".formatted(flag, metadata.flag(key + flag, false)));
        }
      }
      config.add("\"chat_template\":\"{{ bos_token }}\"");
      Files.writeString(folder.resolve("tokenizer_config.json"), config.toString());
    }
  }

  /** Rows of the table that no token uses are no tokens to its makers. */
  private static Vocabulary published(List<String> tokens, int[] kinds) {
    int size = kinds.length;
    while (kinds[size - 1] == Vocabulary.Kind.UNUSED.number()) size--;
    return Vocabulary.of(tokens.subList(0, size), Arrays.copyOf(kinds, size), null);
  }

  private static byte[] pieces(
      Metadata metadata, List<String> tokens, float[] scores, int[] kinds) {
    Proto model = new Proto();
    for (int id = 0; id < kinds.length; id++) {
      model.message(
          1, new Proto().string(1, tokens.get(id)).real(2, scores[id]).number(3, kinds[id]));
    }
    Proto training = new Proto().number(3, 2);
    training.number(40, metadata.integer("tokenizer.ggml.unknown_token_id"));
    model.message(2, training);
    boolean prefix = metadata.flag("tokenizer.ggml.add_space_prefix", true);
    return model.message(3, new Proto().number(3, prefix ? 1 : 0)).bytes();
  }
}
