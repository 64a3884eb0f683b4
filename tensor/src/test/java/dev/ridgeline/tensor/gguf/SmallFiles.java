package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/** Small GGUF files with a bit of everything. */
final class SmallFiles {
  private SmallFiles() {}

  /** Every kind of value, and tensors of several types. */
  static GgufWriter everything() {
    return new GgufWriter()
        .put("general.architecture", "bert")
        .put("general.name", "Zwölf Boxkämpfer 🥊")
        .put("bert.block_count", 6)
        .put("bert.negative", -6)
        .put("bert.parameters", 22_713_216L)
        .put("bert.epsilon", 1e-12f)
        .put("bert.precise", 0.1)
        .put("bert.causal", false)
        .put("tokenizer.ggml.tokens", List.of("[PAD]", "", "▁the", "##ing", "🥊"))
        .put("tokenizer.ggml.scores", new float[] {0, -1, -2.5f, Float.NEGATIVE_INFINITY})
        .put("tokenizer.ggml.token_type", new int[] {3, 1, 1, -1})
        .put("bert.pattern", new boolean[] {true, false, true})
        .tensor("token_embd.weight", TensorType.F32, new long[] {4, 3}, random(48))
        .tensor("blk.0.attn_q.weight", TensorType.Q8_0, new long[] {64, 2}, random(136))
        .tensor("blk.0.attn_q.bias", TensorType.F16, new long[] {5}, random(10))
        .tensor("other.q2_k", TensorType.Q2_K, new long[] {256, 1}, random(84))
        .tensor("other.q3_k", TensorType.Q3_K, new long[] {256}, random(110))
        .tensor("other.iq4_nl", TensorType.IQ4_NL, new long[] {32, 2}, random(36))
        .tensor("other.iq4_xs", TensorType.IQ4_XS, new long[] {256}, random(136))
        .tensor("other.mxfp4", TensorType.MXFP4, new long[] {64, 1, 2}, random(68))
        .tensor("blk.0.ffn_up.weight", TensorType.Q6_K, new long[] {256, 1, 2}, random(420));
  }

  static GgufWriter.Source random(int bytes) {
    byte[] data = new byte[bytes];
    new Random(bytes).nextBytes(data);
    return GgufWriter.Source.of(MemorySegment.ofArray(data));
  }
}
