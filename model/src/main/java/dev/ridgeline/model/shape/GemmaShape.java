package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The sizes of a Gemma 3 that embeds (EmbeddingGemma).
 *
 * @param headWidth numbers of a head, which need not be {@code width / heads}
 * @param window tokens that a local layer sees, half of them on either side
 * @param pattern every so many-th layer sees all
 * @param ropeBase of the layers that see all
 * @param ropeBaseLocal of the others
 * @param expanded width between the two dense layers behind the pooling, 0 where there are none
 */
public record GemmaShape(
    int vocabulary,
    int context,
    int layers,
    int width,
    int hidden,
    int heads,
    int kvHeads,
    int headWidth,
    int window,
    int pattern,
    float ropeBase,
    float ropeBaseLocal,
    float epsilon,
    int expanded,
    Pooling pooling)
    implements Shape {

  /** Original names of the dense layers; they live in folders of their own. */
  public static final String DENSE_2 = "2_Dense.linear.weight";

  public static final String DENSE_3 = "3_Dense.linear.weight";

  private static final String WORD = "gemma-embedding";

  public GemmaShape {
    if (layers < 1 || width < 1 || hidden < 1 || heads < 1 || headWidth < 2 || context < 1) {
      throw new ModelException("a size is too small");
    }
    if (kvHeads < 1 || heads % kvHeads != 0) {
      throw new ModelException(heads + " heads do not share " + kvHeads + " key heads");
    }
    if (window < 1 || pattern < 0) {
      throw new ModelException("a window of " + window + " in a pattern of " + pattern);
    }
    Shape.checkEpsilon(epsilon);
    checkBase(ropeBase);
    checkBase(ropeBaseLocal);
  }

  private static void checkBase(float base) {
    if (!(base > 0 && Float.isFinite(base))) {
      throw new ModelException("angles to the base of " + base);
    }
  }

  /** The shape of a file. */
  public static GemmaShape of(Gguf file) {
    Metadata metadata = file.metadata();
    String word = WORD + ".";
    int heads = metadata.integer(word + "attention.head_count");
    int width = metadata.integer(word + "embedding_length");
    return new GemmaShape(
        rows(file, "token_embd.weight"),
        metadata.integer(word + "context_length"),
        metadata.integer(word + "block_count"),
        width,
        metadata.integer(word + "feed_forward_length"),
        heads,
        metadata.integer(word + "attention.head_count_kv", heads),
        metadata.integer(word + "attention.key_length", width / Math.max(1, heads)),
        metadata.integer(word + "attention.sliding_window"),
        metadata.integer(word + "attention.sliding_window_pattern", 6),
        metadata.floating(word + "rope.freq_base", 10_000f),
        metadata.floating(word + "rope.freq_base_swa", 10_000f),
        metadata.floating(word + "attention.layer_norm_rms_epsilon"),
        file.has("dense_2.weight") ? rows(file, "dense_2.weight") : 0,
        Pooling.ofCode(metadata.integer(word + "pooling_type", Pooling.MEAN.code())));
  }

  private static int rows(Gguf file, String tensor) {
    return Math.toIntExact(file.tensor(tensor).rows());
  }

  /** Whether a layer sees only its window. */
  public boolean local(int layer) {
    return pattern == 0 || layer % pattern < pattern - 1;
  }

  @Override
  public String word() {
    return WORD;
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    String word = WORD + ".";
    keys.accept(word + "context_length", context);
    keys.accept(word + "embedding_length", width);
    keys.accept(word + "block_count", layers);
    keys.accept(word + "feed_forward_length", hidden);
    keys.accept(word + "attention.head_count", heads);
    keys.accept(word + "attention.head_count_kv", kvHeads);
    keys.accept(word + "attention.key_length", headWidth);
    keys.accept(word + "attention.value_length", headWidth);
    keys.accept(word + "attention.layer_norm_rms_epsilon", epsilon);
    keys.accept(word + "attention.sliding_window", window);
    keys.accept(word + "attention.sliding_window_pattern", pattern);
    keys.accept(word + "attention.causal", false);
    keys.accept(word + "rope.freq_base", ropeBase);
    keys.accept(word + "rope.freq_base_swa", ropeBaseLocal);
    keys.accept(word + "pooling_type", pooling.code());
    if (expanded > 0) {
      keys.accept(word + "dense_2_feat_in", width);
      keys.accept(word + "dense_2_feat_out", expanded);
      keys.accept(word + "dense_3_feat_in", expanded);
      keys.accept(word + "dense_3_feat_out", width);
    }
  }

  @Override
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    slots.add(
        Slot.table(Kind.EMBEDDING, "token_embd.weight", "embed_tokens.weight", vocabulary, width));
    for (int layer = 0; layer < layers; layer++) {
      String block = "blk." + layer + ".";
      String original = "layers." + layer + ".";
      norm(slots, block + "attn_norm", original + "input_layernorm", width);
      String attention = original + "self_attn.";
      matrix(slots, block + "attn_q", attention + "q_proj", (long) heads * headWidth, width);
      matrix(slots, block + "attn_k", attention + "k_proj", (long) kvHeads * headWidth, width);
      matrix(slots, block + "attn_v", attention + "v_proj", (long) kvHeads * headWidth, width);
      matrix(slots, block + "attn_output", attention + "o_proj", width, (long) heads * headWidth);
      norm(slots, block + "attn_q_norm", attention + "q_norm", headWidth);
      norm(slots, block + "attn_k_norm", attention + "k_norm", headWidth);
      norm(slots, block + "post_attention_norm", original + "post_attention_layernorm", width);
      norm(slots, block + "ffn_norm", original + "pre_feedforward_layernorm", width);
      matrix(slots, block + "ffn_gate", original + "mlp.gate_proj", hidden, width);
      matrix(slots, block + "ffn_up", original + "mlp.up_proj", hidden, width);
      matrix(slots, block + "ffn_down", original + "mlp.down_proj", width, hidden);
      norm(slots, block + "post_ffw_norm", original + "post_feedforward_layernorm", width);
    }
    norm(slots, "output_norm", "norm", width);
    if (expanded > 0) {
      slots.add(Slot.matrix("dense_2.weight", DENSE_2, expanded, width));
      slots.add(Slot.matrix("dense_3.weight", DENSE_3, width, expanded));
    }
    return slots;
  }

  private static void matrix(
      List<Slot> slots, String name, String original, long outputs, long inputs) {
    slots.add(Slot.matrix(name + ".weight", original + ".weight", outputs, inputs));
  }

  private static void norm(List<Slot> slots, String name, String original, long length) {
    Slot norm = Slot.vector(Kind.NORM, name + ".weight", original + ".weight", length);
    slots.add(norm.changed(new Slot.Change.PlusOne()));
  }
}
