package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A model as llama2.c would have it. */
final class Llama2cFiles {
  private Llama2cFiles() {}

  static byte[] checkpoint(DecoderShape shape, Gguf gguf) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int[] header = {
      shape.width(),
      shape.hidden(),
      shape.layers(),
      shape.heads(),
      shape.kvHeads(),
      shape.tied() ? shape.vocabulary() : -shape.vocabulary(),
      shape.context()
    };
    for (int size : header) out.writeBytes(little(4).putInt(size).array());
    add(out, gguf, "token_embd");
    for (String kind :
        List.of(
            "attn_norm",
            "attn_q",
            "attn_k",
            "attn_v",
            "attn_output",
            "ffn_norm",
            "ffn_gate",
            "ffn_down",
            "ffn_up")) {
      for (int layer = 0; layer < shape.layers(); layer++) {
        add(out, gguf, "blk." + layer + "." + kind);
      }
    }
    add(out, gguf, "output_norm");
    out.writeBytes(new byte[4 * shape.context() * shape.headWidth()]);
    if (!shape.tied()) add(out, gguf, "output");
    return out.toByteArray();
  }

  private static void add(ByteArrayOutputStream out, Gguf gguf, String name) {
    out.writeBytes(gguf.tensor(name + ".weight").data().toArray(JAVA_BYTE));
  }

  /**
   * @param bare whether bytes are written as they are, which older files have
   */
  static byte[] tokenizer(Gguf gguf, boolean bare) {
    Metadata metadata = gguf.metadata();
    List<String> tokens = metadata.strings("tokenizer.ggml.tokens");
    float[] scores = metadata.floats("tokenizer.ggml.scores");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(little(4).putInt(64).array());
    for (int id = 0; id < scores.length; id++) {
      String text = tokens.get(id).replace("▁", " ");
      if (id == 1 || id == 2) text = "\n" + text + "\n";
      if (bare && id >= 3 && id < 259) text = Character.toString(id - 3);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(little(8).putFloat(scores[id]).putInt(bytes.length).array());
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
