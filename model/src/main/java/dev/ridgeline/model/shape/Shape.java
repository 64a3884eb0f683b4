package dev.ridgeline.model.shape;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** A kind of model and the sizes of one: which tensors and keys its GGUF file has. */
public sealed interface Shape permits BertShape, GemmaShape, DecoderShape, Gpt2Shape {
  /** The shape of a file. */
  static Shape of(Gguf file) {
    String word = file.metadata().string("general.architecture");
    DecoderFamily family = DecoderFamily.of(word);
    if (family != null) return DecoderShape.of(family, file);
    return switch (word) {
      case "bert" -> BertShape.of(file);
      case "gemma-embedding" -> GemmaShape.of(file);
      case "gpt2" -> Gpt2Shape.of(file);
      default -> throw new ModelException("architecture '%s' is not known here".formatted(word));
    };
  }

  /** GGUF's word for the kind. */
  String word();

  int layers();

  /** How many tokens it knows. */
  int vocabulary();

  /** Its tensors, in the order of a file. */
  List<Slot> slots();

  /** Puts the keys of its sizes, without those of the vocabulary. */
  void describe(BiConsumer<String, Object> keys);

  /** Whether a tensor that is none of its own may be in a file: the answers do not need it. */
  default boolean ignores(String tensor) {
    return false;
  }

  /**
   * Refuses a file with tensors that nobody would take: the answers would be another model's. One
   * with fewer than it has layers is left to whoever misses them.
   */
  default void refuseOthers(Gguf file) {
    List<GgufTensor> tensors = file.tensors();
    if (layers() > tensors.size()) return;
    Set<String> own = slots().stream().map(Slot::name).collect(Collectors.toSet());
    for (GgufTensor tensor : tensors) {
      String name = tensor.name();
      if (own.contains(name) || ignores(name)) continue;
      throw new ModelException(
          "the tensor %s is not supported: a %s with a block_count of %d has none such"
              .formatted(name, word(), layers()));
    }
  }

  /** Refuses a size that is not positive. */
  static void checkSize(String what, long size) {
    checkSize(what, size, Integer.MAX_VALUE);
  }

  /** Refuses a size that is not positive, or too large. */
  static void checkSize(String what, long size, int most) {
    if (size < 1) throw new ModelException("%s is %d: at least 1".formatted(what, size));
    if (size > most) throw new ModelException("%s is %d: at most %d".formatted(what, size, most));
  }

  /** Refuses what would make a norm divide by zero, or by nothing that belongs to the text. */
  static void checkEpsilon(float epsilon) {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw new ModelException("norms with an epsilon of " + epsilon);
    }
  }
}
