package dev.ridgeline.model.imports;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The weights of a model by the names that its makers gave them. */
final class Weights {
  /** What frequencies of rope are divided by, which makers give as a formula. */
  static final String ROPE_FACTORS = "rope_freqs.weight";

  private final Path path;
  private final Map<String, Weight> weights = new HashMap<>();

  Weights(Path path) {
    this.path = path;
  }

  Weights put(String name, Weight weight) {
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
    return weight;
  }
}
