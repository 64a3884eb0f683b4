package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The sizes of a decoder of the Llama kind.
 *
 * @param headWidth numbers of a head, which need not be {@code width / heads}
 * @param ropeFactors whether each frequency has a factor of its own ({@code rope_freqs.weight})
 * @param windows what most layers see of the text before them, null where all see all
 * @param qkvBias whether queries, keys and values have biases
 * @param tied whether the table of tokens is the matrix behind the last layer, too
 * @param pooling how it makes one vector of a text, null for one that only writes
 */
public record DecoderShape(
    DecoderFamily family,
    int vocabulary,
    int context,
    int layers,
    int width,
    int hidden,
    int heads,
    int kvHeads,
    int headWidth,
    Rope rope,
    boolean ropeFactors,
    Windows windows,
    float epsilon,
    boolean qkvBias,
    boolean tied,
    Pooling pooling)
    implements Shape {

  /** Numbers of a vector at most: more is a damaged file, and products below stay whole. */
  static final int WIDEST = 1 << 24;

  /** Keys of files that have numbers multiplied or bounded where none of these families does. */
  private static final List<String> OTHER_ARITHMETIC =
      List.of(
          "attn_logit_softcapping",
          "final_logit_softcapping",
          "attention.scale",
          "attention.clamp_kqv",
          "attention.max_alibi_bias",
          "embedding_scale",
          "residual_scale",
          "logit_scale");

  private static final int GEMMA_27B_LAYERS = 62;

  /**
   * Layers that see only the last tokens.
   *
   * @param tokens that they see, their own included
   * @param pattern every so many-th layer sees all
   * @param base of their rope
   */
  public record Windows(int tokens, int pattern, float base) {
    public Windows {
      if (tokens < 1 || pattern < 0) {
        throw new ModelException("a window of " + tokens + " in a pattern of " + pattern);
      }
    }

    /** Whether a layer sees only its window. */
    public boolean local(int layer) {
      return pattern == 0 || layer % pattern < pattern - 1;
    }
  }

  public DecoderShape {
    Shape.checkSize("vocab_size", vocabulary);
    Shape.checkSize("block_count", layers);
    Shape.checkSize("context_length", context);
    Shape.checkSize("attention.head_count", heads);
    Shape.checkSize("embedding_length", width, WIDEST);
    Shape.checkSize("feed_forward_length", hidden, WIDEST);
    Shape.checkSize("the width of all heads", (long) heads * headWidth, WIDEST);
    if (kvHeads < 1 || heads % kvHeads != 0) {
      throw new ModelException(heads + " heads do not share " + kvHeads + " key heads");
    }
    // None of these families leaves a part of its heads unturned.
    if (rope.width() != headWidth) {
      throw new ModelException(
          "rope turns %d numbers of heads of %d".formatted(rope.width(), headWidth));
    }
    if (!(epsilon >= 0) || epsilon == Float.POSITIVE_INFINITY) {
      throw new ModelException("an epsilon of " + epsilon);
    }
    if (family.windowed() != (windows != null)) {
      throw new ModelException("windows are Gemma's, and only Gemma's");
    }
  }

  /** The shape of a file. */
  public static DecoderShape of(DecoderFamily family, Gguf file) {
    Metadata metadata = file.metadata();
    String word = family.word() + ".";
    refuse(metadata, word);
    int heads = metadata.integer(word + "attention.head_count");
    int width = metadata.integer(word + "embedding_length");
    int headWidth =
        metadata.integer(word + "attention.key_length", Math.max(0, width) / Math.max(1, heads));
    if (metadata.integer(word + "attention.value_length", headWidth) != headWidth) {
      throw new ModelException("keys and values of different widths are not supported");
    }
    int context = metadata.integer(word + "context_length");
    String pooling = word + "pooling_type";
    // 0 is none: one vector per token.
    int pooled = metadata.integer(pooling, 0);
    return new DecoderShape(
        family,
        Math.toIntExact(file.tensor("token_embd.weight").rows()),
        context,
        metadata.integer(word + "block_count"),
        width,
        metadata.integer(word + "feed_forward_length"),
        heads,
        metadata.integer(word + "attention.head_count_kv", heads),
        headWidth,
        Rope.of(metadata, family.word(), headWidth, context),
        file.has("rope_freqs.weight"),
        family.windowed() ? windows(metadata, word) : null,
        metadata.floating(word + "attention.layer_norm_rms_epsilon"),
        family.needsBias() || file.has("blk.0.attn_q.bias"),
        !file.has("output.weight"),
        pooled == 0 ? null : Pooling.ofCode(pooled));
  }

  private static Windows windows(Metadata metadata, String word) {
    return new Windows(
        metadata.integer(word + "attention.sliding_window"),
        metadata.integer(word + "attention.sliding_window_pattern", 6),
        metadata.floating(word + "rope.freq_base_swa", 10_000f));
  }

  /** What would change every answer and is not done here. */
  private static void refuse(Metadata metadata, String word) {
    if (metadata.integer(word + "expert_count", 0) > 0) {
      throw new ModelException("mixtures of experts are not supported");
    }
    for (String key : OTHER_ARITHMETIC) {
      if (metadata.floating(word + key, 0) != 0) {
        throw new ModelException(word + key + " is not supported");
      }
    }
    String causal = word + "attention.causal";
    if (!metadata.flag(causal, true))
      throw new ModelException(causal + " = false is not supported");
  }

  /** Whether a layer sees only its window. */
  public boolean local(int layer) {
    return windows != null && windows.local(layer);
  }

  /** How far behind itself a token of a layer sees. */
  public int before(int layer) {
    return local(layer) ? windows.tokens() - 1 : Integer.MAX_VALUE;
  }

  /** The rope of the layers that see only a window. */
  public Rope localRope() {
    return rope.local(windows.base());
  }

  /** What products of queries and keys are multiplied by. */
  public float scale() {
    // The largest Gemma 3 was trained with the width that its heads would have by the usual rule.
    boolean usual = family != DecoderFamily.GEMMA3 || layers != GEMMA_27B_LAYERS;
    double growth = rope.growth();
    return (float) (growth * growth / Math.sqrt(usual ? headWidth : (double) width / heads));
  }

  @Override
  public String word() {
    return family.word();
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    String word = word() + ".";
    keys.accept(word + "vocab_size", vocabulary);
    keys.accept(word + "context_length", context);
    keys.accept(word + "embedding_length", width);
    keys.accept(word + "block_count", layers);
    keys.accept(word + "feed_forward_length", hidden);
    keys.accept(word + "attention.head_count", heads);
    keys.accept(word + "attention.head_count_kv", kvHeads);
    keys.accept(word + "attention.key_length", headWidth);
    keys.accept(word + "attention.value_length", headWidth);
    keys.accept(word + "attention.layer_norm_rms_epsilon", epsilon);
    rope.describe(word(), keys);
    if (windows != null) {
      keys.accept(word + "attention.sliding_window", windows.tokens());
      keys.accept(word + "attention.sliding_window_pattern", windows.pattern());
      keys.accept(word + "rope.freq_base_swa", windows.base());
    }
    if (pooling != null) keys.accept(word + "pooling_type", pooling.code());
  }

  @Override
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    slots.add(
        Slot.table(Kind.EMBEDDING, "token_embd.weight", "embed_tokens.weight", vocabulary, width));
    if (ropeFactors) {
      slots.add(
          Slot.vector(Kind.FACTORS, "rope_freqs.weight", "rope_freqs.weight", rope.width() / 2));
    }
    for (int layer = 0; layer < layers; layer++) {
      layer(slots, "blk." + layer + ".", "layers." + layer + ".");
    }
    norm(slots, "output_norm", "norm", width);
    if (!tied) slots.add(Slot.matrix("output.weight", "lm_head.weight", vocabulary, width));
    return slots;
  }

  private void layer(List<Slot> slots, String block, String original) {
    long queries = (long) heads * headWidth;
    long keys = (long) kvHeads * headWidth;
    String attention = original + "self_attn.";
    norm(slots, block + "attn_norm", original + "input_layernorm", width);
    linear(slots, block + "attn_q", attention + "q_proj", queries, turned(heads));
    linear(slots, block + "attn_k", attention + "k_proj", keys, turned(kvHeads));
    linear(slots, block + "attn_v", attention + "v_proj", keys, Change.NONE);
    if (family.normsHeads()) {
      norm(slots, block + "attn_q_norm", attention + "q_norm", headWidth);
      norm(slots, block + "attn_k_norm", attention + "k_norm", headWidth);
    }
    matrix(slots, block + "attn_output", attention + "o_proj", width, queries);
    // Only where norms come before and behind is each called by what it is for.
    boolean after = family.normsAfter();
    String behindAttention = original + "post_attention_layernorm";
    if (after) norm(slots, block + "post_attention_norm", behindAttention, width);
    String beforeFfn = after ? original + "pre_feedforward_layernorm" : behindAttention;
    norm(slots, block + "ffn_norm", beforeFfn, width);
    matrix(slots, block + "ffn_gate", original + "mlp.gate_proj", hidden, width);
    matrix(slots, block + "ffn_up", original + "mlp.up_proj", hidden, width);
    matrix(slots, block + "ffn_down", original + "mlp.down_proj", width, hidden);
    if (after) norm(slots, block + "post_ffw_norm", original + "post_feedforward_layernorm", width);
  }

  private Change turned(int ofHeads) {
    return family.turnsNeighbours() ? new Change.Interleaved(ofHeads) : Change.NONE;
  }

  private void linear(List<Slot> slots, String name, String original, long outputs, Change change) {
    String weight = ".weight";
    slots.add(Slot.matrix(name + weight, original + weight, outputs, width).changed(change));
    if (!qkvBias) return;
    slots.add(Slot.vector(Kind.BIAS, name + ".bias", original + ".bias", outputs).changed(change));
  }

  private static void matrix(
      List<Slot> slots, String name, String original, long outputs, long inputs) {
    slots.add(Slot.matrix(name + ".weight", original + ".weight", outputs, inputs));
  }

  private void norm(List<Slot> slots, String name, String original, long length) {
    Slot norm = Slot.vector(Kind.NORM, name + ".weight", original + ".weight", length);
    boolean gemma = family == DecoderFamily.GEMMA3;
    slots.add(gemma ? norm.changed(new Change.PlusOne()) : norm);
  }
}
