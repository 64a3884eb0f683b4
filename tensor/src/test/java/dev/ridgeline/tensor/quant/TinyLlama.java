package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;

/** A Llama of random weights that llama.cpp accepts: another model's vocabulary, rows of 256. */
final class TinyLlama {
  private static final int WIDTH = 256;
  private static final int HIDDEN = 256;

  private TinyLlama() {}

  static void write(Gguf vocabulary, int layers, boolean tied, Path path) {
    Random random = new Random(layers);
    int tokens = vocabulary.metadata().strings("tokenizer.ggml.tokens").size();
    try (Arena arena = Arena.ofConfined()) {
      GgufWriter writer =
          new GgufWriter()
              .putAll(vocabulary.metadata())
              .put("llama.block_count", layers)
              .put("llama.embedding_length", WIDTH)
              .put("llama.feed_forward_length", HIDDEN)
              .put("llama.attention.head_count", 4)
              .put("llama.attention.head_count_kv", 2)
              .put("llama.rope.dimension_count", 64);
      weights(writer, arena, random, "token_embd", WIDTH, tokens);
      if (!tied) weights(writer, arena, random, "output", WIDTH, tokens);
      weights(writer, arena, random, "output_norm", WIDTH);
      for (int layer = 0; layer < layers; layer++) {
        String prefix = "blk." + layer + ".";
        weights(writer, arena, random, prefix + "attn_norm", WIDTH);
        weights(writer, arena, random, prefix + "attn_q", WIDTH, WIDTH);
        weights(writer, arena, random, prefix + "attn_k", WIDTH, WIDTH / 2);
        weights(writer, arena, random, prefix + "attn_v", WIDTH, WIDTH / 2);
        weights(writer, arena, random, prefix + "attn_output", WIDTH, WIDTH);
        weights(writer, arena, random, prefix + "ffn_norm", WIDTH);
        weights(writer, arena, random, prefix + "ffn_gate", WIDTH, HIDDEN);
        weights(writer, arena, random, prefix + "ffn_up", WIDTH, HIDDEN);
        weights(writer, arena, random, prefix + "ffn_down", HIDDEN, WIDTH);
      }
      writer.write(path);
    }
  }

  private static void weights(
      GgufWriter writer, Arena arena, Random random, String name, long... shape) {
    long count = 1;
    for (long length : shape) count *= length;
    MemorySegment numbers = arena.allocate(4 * count);
    for (long i = 0; i < count; i++) {
      numbers.setAtIndex(JAVA_FLOAT, i, (float) random.nextGaussian() * 0.02f);
    }
    writer.tensor(name + ".weight", TensorType.F32, shape, GgufWriter.Source.of(numbers));
  }
}
