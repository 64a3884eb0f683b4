package dev.ridgeline.model.gemma;

import dev.ridgeline.model.ModelException;
import dev.ridgeline.model.Pooling;
import dev.ridgeline.tensor.gguf.Metadata;

/**
 * The sizes of an EmbeddingGemma.
 *
 * @param headWidth numbers of a head, which need not be {@code width / heads}
 * @param window tokens that a local layer sees around each token
 * @param pattern every so many-th layer is global
 * @param base of the angles in global layers
 * @param localBase of the angles in local layers
 */
record GemmaShape(
    int layers,
    int width,
    int hidden,
    int heads,
    int keyHeads,
    int headWidth,
    int context,
    int window,
    int pattern,
    float base,
    float localBase,
    float epsilon,
    Pooling pooling) {

  private static final String KEY = "gemma-embedding.";

  GemmaShape {
    if (layers < 1 || width < 1 || hidden < 1 || heads < 1 || headWidth < 2 || context < 1) {
      throw new ModelException("a size is too small");
    }
    if (keyHeads < 1 || heads % keyHeads != 0) {
      throw new ModelException(heads + " heads do not share " + keyHeads + " key heads");
    }
    if (window < 1 || pattern < 0) {
      throw new ModelException("a window of " + window + " in a pattern of " + pattern);
    }
  }

  static GemmaShape of(Metadata metadata) {
    int heads = metadata.integer(KEY + "attention.head_count");
    int width = metadata.integer(KEY + "embedding_length");
    return new GemmaShape(
        metadata.integer(KEY + "block_count"),
        width,
        metadata.integer(KEY + "feed_forward_length"),
        heads,
        metadata.integer(KEY + "attention.head_count_kv", heads),
        metadata.integer(KEY + "attention.key_length", width / Math.max(1, heads)),
        metadata.integer(KEY + "context_length"),
        metadata.integer(KEY + "attention.sliding_window"),
        metadata.integer(KEY + "attention.sliding_window_pattern", 6),
        metadata.floating(KEY + "rope.freq_base", 10_000f),
        metadata.floating(KEY + "rope.freq_base_swa", 10_000f),
        metadata.floating(KEY + "attention.layer_norm_rms_epsilon"),
        Pooling.ofCode(metadata.integer(KEY + "pooling_type", 1)));
  }

  /** Whether a layer sees only its window. */
  boolean local(int layer) {
    return pattern == 0 || layer % pattern < pattern - 1;
  }
}
