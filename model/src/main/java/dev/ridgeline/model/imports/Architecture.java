package dev.ridgeline.model.imports;

import java.util.List;

/** A kind of model and the sizes of one: which tensors and keys its GGUF file has. */
public sealed interface Architecture permits BertShape, GemmaEmbeddingShape {
  /** GGUF's word for the kind. */
  String word();

  /** How many tokens it knows. */
  int vocabulary();

  /** Its tensors, in the order of a file. */
  List<Slot> slots();

  /** Puts the keys of its sizes, without those of the vocabulary. */
  void describe(Draft draft);
}
