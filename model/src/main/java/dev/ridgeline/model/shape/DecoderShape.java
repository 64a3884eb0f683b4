package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The shape of a model of the Llama kind.
 *
 * @param ropeFactors whether each frequency has a factor of its own ({@code rope_freqs.weight})
 * @param windows what most layers see of the text around them, null where all see all
 * @param qkvBias whether queries, keys and values have biases
 * @param tied whether the table of tokens is the matrix behind the last layer, too
 * @param pooling how it makes one vector of a text, null for one that only writes
 * @param expanded width between the two dense layers after the pooling, 0 where there are none
 */
public record DecoderShape(
    DecoderFamily family,
    Sizes sizes,
    Rope rope,
    boolean ropeFactors,
    Windows windows,
    float epsilon,
    boolean qkvBias,
    boolean tied,
    Pooling pooling,
    int expanded)
    implements Shape {

  /** Original names of the dense layers; they live in folders of their own. */
  public static final List<String> DENSE = List.of("2_Dense.linear", "3_Dense.linear");

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
   * Layers that see only the tokens near them.
   *
   * @param tokens that they see, their own included; half on either side where they see both
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
    // None of these families leaves a part of its heads unturned.
    if (rope.width() != sizes.headWidth()) {
      throw new ModelException(
          "rope turns %d numbers of heads of %d".formatted(rope.width(), sizes.headWidth()));
    }
    Shape.checkEpsilon(epsilon);
    if (family.windowed() != (windows != null)) {
      throw new ModelException("windows are Gemma's, and only Gemma's");
    }
    if (windows != null) rope.local(windows.base()); // refuses what is no base
  }

  /** One that writes and has nothing that its family does not always have. */
  public static DecoderShape plain(
      DecoderFamily family, Sizes sizes, float ropeBase, float epsilon, boolean tied) {
    Rope rope = Rope.of(sizes.headWidth(), ropeBase);
    boolean bias = family.needsBias();
    return new DecoderShape(family, sizes, rope, false, null, epsilon, bias, tied, null, 0);
  }

  /** The same with a factor for each frequency of rope. */
  public DecoderShape withRopeFactors() {
    return new DecoderShape(
        family, sizes, rope, true, windows, epsilon, qkvBias, tied, pooling, expanded);
  }

  /** The same with another pooling, null for none. */
  public DecoderShape withPooling(Pooling next) {
    return new DecoderShape(
        family, sizes, rope, ropeFactors, windows, epsilon, qkvBias, tied, next, expanded);
  }

  /** The shape of a file. */
  public static DecoderShape of(DecoderFamily family, Gguf file) {
    Metadata metadata = file.metadata();
    String word = family.word() + ".";
    refuse(metadata, family);
    Sizes sizes = Sizes.of(file, family.word());
    // 0 is none: one vector per token.
    boolean embeds = family.bidirectional();
    int pooling = metadata.integer(word + "pooling_type", embeds ? Pooling.MEAN.code() : 0);
    return new DecoderShape(
        family,
        sizes,
        Rope.of(metadata, family.word(), sizes.headWidth(), sizes.context()),
        file.has("rope_freqs.weight"),
        family.windowed() ? windows(metadata, word) : null,
        metadata.floating(word + "attention.layer_norm_rms_epsilon"),
        family.needsBias() || file.has("blk.0.attn_q.bias"),
        !file.has("output.weight"),
        pooling == 0 && !embeds ? null : Pooling.ofCode(pooling),
        file.has("dense_2.weight") ? Math.toIntExact(file.tensor("dense_2.weight").rows()) : 0);
  }

  private static Windows windows(Metadata metadata, String word) {
    return new Windows(
        metadata.integer(word + "attention.sliding_window"),
        metadata.integer(word + "attention.sliding_window_pattern", 6),
        metadata.floating(word + "rope.freq_base_swa", 10_000f));
  }

  /** What would change every answer and is not done here. */
  private static void refuse(Metadata metadata, DecoderFamily family) {
    String word = family.word() + ".";
    if (metadata.integer(word + "expert_count", 0) > 0) {
      throw new ModelException("mixtures of experts are not supported");
    }
    for (String key : OTHER_ARITHMETIC) {
      if (metadata.floating(word + key, 0) != 0) {
        throw new ModelException(word + key + " is not supported");
      }
    }
    String causal = word + "attention.causal";
    if (metadata.flag(causal, !family.bidirectional()) == family.bidirectional()) {
      throw new ModelException(
          "%s = %s is not supported".formatted(causal, family.bidirectional()));
    }
  }

  /** Whether a layer sees only its window. */
  public boolean local(int layer) {
    return windows != null && windows.local(layer);
  }

  /** How many tokens before itself a token of a layer sees. */
  public int before(int layer) {
    if (!local(layer)) return Integer.MAX_VALUE;
    return family.bidirectional() ? windows.tokens() / 2 : windows.tokens() - 1;
  }

  /** How many tokens after itself a token of a layer sees. */
  public int after(int layer) {
    return family.bidirectional() ? before(layer) : 0;
  }

  /** The rope of the layers that see only a window. */
  public Rope localRope() {
    return rope.local(windows.base());
  }

  /** What products of queries and keys are multiplied by. */
  public float scale() {
    // The largest Gemma 3 was trained with the width that its heads would have by the usual rule.
    boolean usual = family != DecoderFamily.GEMMA3 || layers() != GEMMA_27B_LAYERS;
    double growth = rope.growth();
    return (float) (growth * growth / Math.sqrt(usual ? headWidth() : (double) width() / heads()));
  }

  @Override
  public String word() {
    return family.word();
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    String word = word() + ".";
    keys.accept(word + "vocab_size", vocabulary());
    sizes.describe(word(), keys);
    keys.accept(word + "attention.head_count_kv", kvHeads());
    keys.accept(word + "attention.key_length", headWidth());
    keys.accept(word + "attention.value_length", headWidth());
    keys.accept(word + "attention.layer_norm_rms_epsilon", epsilon);
    rope.describe(word(), keys);
    if (windows != null) {
      keys.accept(word + "attention.sliding_window", windows.tokens());
      keys.accept(word + "attention.sliding_window_pattern", windows.pattern());
      keys.accept(word + "rope.freq_base_swa", windows.base());
    }
    if (family.bidirectional()) keys.accept(word + "attention.causal", false);
    if (pooling != null) keys.accept(word + "pooling_type", pooling.code());
    if (expanded > 0) {
      keys.accept(word + "dense_2_feat_in", width());
      keys.accept(word + "dense_2_feat_out", expanded);
      keys.accept(word + "dense_3_feat_in", expanded);
      keys.accept(word + "dense_3_feat_out", width());
    }
  }

  @Override
  public boolean embeds() {
    return pooling != null;
  }

  @Override
  public List<Slot> slots() {
    int width = width();
    Slots slots = new Slots();
    slots.table(Kind.EMBEDDING, "token_embd", "embed_tokens", vocabulary(), width);
    if (ropeFactors) {
      slots.vector(Kind.FACTORS, "rope_freqs", "rope_freqs", rope.width() / 2, Change.NONE);
    }
    for (int layer = 0; layer < layers(); layer++) {
      layer(slots, "blk." + layer + ".", "layers." + layer + ".");
    }
    norm(slots, "output_norm", "norm", width);
    if (!tied) slots.matrix("output", "lm_head", vocabulary(), width, Change.NONE);
    if (expanded > 0) {
      slots.matrix("dense_2", DENSE.getFirst(), expanded, width, Change.NONE);
      slots.matrix("dense_3", DENSE.getLast(), width, expanded, Change.NONE);
    }
    return slots.all();
  }

  private void layer(Slots slots, String block, String original) {
    int width = width();
    int hidden = hidden();
    long queries = (long) heads() * headWidth();
    long keys = (long) kvHeads() * headWidth();
    String attention = original + "self_attn.";
    norm(slots, block + "attn_norm", original + "input_layernorm", width);
    linear(slots, block + "attn_q", attention + "q_proj", queries, turned(heads()));
    linear(slots, block + "attn_k", attention + "k_proj", keys, turned(kvHeads()));
    linear(slots, block + "attn_v", attention + "v_proj", keys, Change.NONE);
    if (family.normsHeads()) {
      norm(slots, block + "attn_q_norm", attention + "q_norm", headWidth());
      norm(slots, block + "attn_k_norm", attention + "k_norm", headWidth());
    }
    slots.matrix(block + "attn_output", attention + "o_proj", width, queries, Change.NONE);
    // Only where norms come before and behind is each called by what it is for.
    boolean after = family.normsAfter();
    String behindAttention = original + "post_attention_layernorm";
    if (after) norm(slots, block + "post_attention_norm", behindAttention, width);
    String beforeFfn = after ? original + "pre_feedforward_layernorm" : behindAttention;
    norm(slots, block + "ffn_norm", beforeFfn, width);
    slots.matrix(block + "ffn_gate", original + "mlp.gate_proj", hidden, width, Change.NONE);
    slots.matrix(block + "ffn_up", original + "mlp.up_proj", hidden, width, Change.NONE);
    slots.matrix(block + "ffn_down", original + "mlp.down_proj", width, hidden, Change.NONE);
    if (after) norm(slots, block + "post_ffw_norm", original + "post_feedforward_layernorm", width);
  }

  private Change turned(int ofHeads) {
    return family.turnsNeighbours() ? new Change.Interleaved(ofHeads) : Change.NONE;
  }

  private void linear(Slots slots, String name, String original, long outputs, Change change) {
    slots.matrix(name, original, outputs, width(), change);
    if (qkvBias) slots.vector(Kind.BIAS, name, original, outputs, change);
  }

  /** Gemma's norms begin at 0 in training, and multiply by one more. */
  private void norm(Slots slots, String name, String original, long length) {
    boolean gemma = family.normsAfter();
    slots.vector(Kind.NORM, name, original, length, gemma ? new Change.PlusOne() : Change.NONE);
  }
}
