package dev.ridgeline.model.shape;

import dev.ridgeline.model.ModelException;
import java.util.List;
import java.util.function.BiConsumer;

/** A kind of model and the sizes of one: which tensors and keys its GGUF file has. */
public sealed interface Shape permits BertShape, GemmaShape, DecoderShape, Gpt2Shape {
  /** GGUF's word for the kind. */
  String word();

  /** How many tokens it knows. */
  int vocabulary();

  /** Its tensors, in the order of a file. */
  List<Slot> slots();

  /** Puts the keys of its sizes, without those of the vocabulary. */
  void describe(BiConsumer<String, Object> keys);

  /** Refuses what would make a norm divide by zero, or by nothing that belongs to the text. */
  static void checkEpsilon(float epsilon) {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw new ModelException("norms with an epsilon of " + epsilon);
    }
  }
}
