package dev.ridgeline.model.imports;

import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Shape;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The weights of a model by the names that its makers gave them. */
final class SourceWeights {
  /** What frequencies of rope are divided by, which makers give as a formula. */
  static final String ROPE_FACTORS = "rope_freqs.weight";

  /**
   * What savers leave beside the weights: positions as numbers, frequencies of rope, masks of
   * GPT-2, and what BERT was trained with behind its vectors.
   */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "(^|\\.)(embeddings\\.position_ids|rotary_emb\\.inv_freq"
              + "|h\\.\\d+\\.attn\\.(bias|masked_bias)|pooler\\.dense\\.(weight|bias))$"
              + "|^cls\\.(predictions|seq_relationship)\\.");

  private final Path path;
  private final Map<String, Weight> weights = new HashMap<>();

  /** As their file calls them. */
  private final Set<String> taken = new HashSet<>();

  SourceWeights(Path path) {
    this.path = path;
  }

  /**
   * Those of a file, without the prefix that some savers put before all names.
   *
   * @param anchor a name that must be there
   */
  static SourceWeights of(Path path, Map<String, StoredTensor> tensors, String anchor) {
    String prefix =
        tensors.keySet().stream()
            .filter(name -> name.endsWith(anchor))
            .map(name -> name.substring(0, name.length() - anchor.length()))
            .findFirst()
            .orElseThrow(() -> new ImportException(path, "has no tensor " + anchor));
    SourceWeights weights = new SourceWeights(path);
    // The matrix behind the last layer stands outside; what has the prefix goes before.
    tensors.forEach(weights::put);
    tensors.forEach(
        (name, tensor) -> {
          if (name.startsWith(prefix)) weights.put(name.substring(prefix.length()), tensor);
        });
    return weights;
  }

  private void put(String name, StoredTensor tensor) {
    String now = name.replaceFirst("\\.gamma$", ".weight").replaceFirst("\\.beta$", ".bias");
    weights.put(now, new Weight(path, tensor));
  }

  SourceWeights put(String name, Weight weight) {
    weights.put(name, weight);
    return this;
  }

  Path path() {
    return path;
  }

  Set<String> names() {
    return weights.keySet();
  }

  boolean has(String name) {
    return weights.containsKey(name);
  }

  Weight weight(String name) {
    Weight weight = weights.get(name);
    if (weight == null) throw new ImportException(path, "has no tensor " + name);
    taken.add(weight.tensor().name());
    return weight;
  }

  /** Refuses tensors that nobody took: without them the answers would be another model's. */
  void requireAllTaken(Shape shape) {
    weights.values().stream()
        .map(weight -> weight.tensor().name())
        .filter(name -> !taken.contains(name) && !HARMLESS.matcher(name).find())
        .filter(name -> !(name.equals(DecoderConfig.OUTPUT) && isTied(shape)))
        .sorted()
        .findFirst()
        .ifPresent(
            name -> {
              throw new ImportException(
                  path,
                  "the tensor %s is not supported: a %s of %d layers has none such"
                      .formatted(name, shape.word(), shape.layers()));
            });
  }

  /** Then the last matrix, where it is stored, says the same once more. */
  private static boolean isTied(Shape shape) {
    return switch (shape) {
      case DecoderShape decoder -> decoder.tied();
      case Gpt2Shape gpt2 -> gpt2.tied();
      case BertShape _ -> false;
    };
  }
}
