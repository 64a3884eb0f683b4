package dev.ridgeline.model.bert;

import dev.ridgeline.model.ModelException;
import dev.ridgeline.model.Pooling;
import dev.ridgeline.tensor.gguf.Metadata;

/**
 * The sizes of a BERT.
 *
 * @param width of a token's vector
 * @param hidden width of the feed-forward layer
 * @param context tokens of a text at most
 * @param epsilon what keeps a norm from dividing by zero
 */
record BertShape(
    int layers, int width, int hidden, int heads, int context, float epsilon, Pooling pooling) {

  BertShape {
    if (layers < 1 || width < 1 || hidden < 1 || heads < 1 || context < 1) {
      throw new ModelException("a size is less than 1");
    }
    if (width % heads != 0) {
      throw new ModelException("width " + width + " is no multiple of " + heads + " heads");
    }
  }

  static BertShape of(Metadata metadata) {
    return new BertShape(
        metadata.integer("bert.block_count"),
        metadata.integer("bert.embedding_length"),
        metadata.integer("bert.feed_forward_length"),
        metadata.integer("bert.attention.head_count"),
        metadata.integer("bert.context_length"),
        metadata.floating("bert.attention.layer_norm_epsilon"),
        Pooling.ofCode(metadata.integer("bert.pooling_type", 1)));
  }
}
