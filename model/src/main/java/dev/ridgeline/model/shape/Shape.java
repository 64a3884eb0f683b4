package dev.ridgeline.model.shape;

import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.function.BiConsumer;

/** A kind of model and the sizes of one: which tensors and keys its GGUF file has. */
public sealed interface Shape permits BertShape, DecoderShape, Gpt2Shape {
  /** The shape of a file. */
  static Shape of(Gguf file) {
    String word = file.metadata().string("general.architecture");
    DecoderFamily family = DecoderFamily.of(word);
    if (family != null) return DecoderShape.of(family, file);
    return switch (word) {
      case "bert" -> BertShape.of(file);
      case "gpt2" -> Gpt2Shape.of(file);
      default -> throw new ModelException("architecture '%s' is not known here".formatted(word));
    };
  }

  /** GGUF's word for the kind. */
  String word();

  Sizes sizes();

  /** Whether it makes vectors of texts, and not texts. */
  boolean embeds();

  /** Its tensors, in the order of a file. */
  List<Slot> slots();

  /** Puts the keys of its sizes, without those of the vocabulary. */
  void describe(BiConsumer<String, Object> keys);

  /** How many tokens it knows. */
  default int vocabulary() {
    return sizes().vocabulary();
  }

  /** Tokens of a text at most. */
  default int context() {
    return sizes().context();
  }

  default int layers() {
    return sizes().layers();
  }

  /** Numbers of a token's vector. */
  default int width() {
    return sizes().width();
  }

  /** Width of the feed-forward layer. */
  default int hidden() {
    return sizes().hidden();
  }

  default int heads() {
    return sizes().heads();
  }

  /** Heads of keys and values. */
  default int kvHeads() {
    return sizes().kvHeads();
  }

  /** Numbers of a head. */
  default int headWidth() {
    return sizes().headWidth();
  }

  /** What it is, in a few words: {@code llama, 6 layers of 288}. */
  default String description() {
    return "%s, %d layers of %d".formatted(word(), layers(), width());
  }

  /** Whether a tensor that is none of its own may be in a file: the answers do not need it. */
  default boolean ignores(String tensor) {
    return false;
  }

  /** Refuses what would make a norm divide by zero, or by nothing that belongs to the text. */
  static void checkEpsilon(float epsilon) {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw new ModelException("norms with an epsilon of " + epsilon);
    }
  }
}
