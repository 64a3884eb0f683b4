package dev.ridgeline.model.decoder;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The same model with other metadata, without some tensors, or with other names for them. */
final class Variant {
  private Variant() {}

  static Path of(Path model, Map<String, Object> keys) {
    return of(model, keys, Set.of());
  }

  static Path of(Path model, Map<String, Object> keys, Set<String> dropped) {
    return of(model, keys, name -> dropped.contains(name) ? null : name);
  }

  static Path renamed(Path model, String tensor, String other) {
    return of(model, Map.of(), name -> name.equals(tensor) ? other : name);
  }

  /**
   * @param names null for a tensor that is dropped
   */
  private static Path of(Path model, Map<String, Object> keys, UnaryOperator<String> names) {
    Path other = model.resolveSibling("variant.gguf");
    try (Gguf file = Gguf.open(model)) {
      GgufWriter writer = new GgufWriter().putAll(file.metadata());
      keys.forEach(writer::put);
      for (GgufTensor tensor : file.tensors()) {
        String name = names.apply(tensor.name());
        if (name == null) continue;
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        writer.tensor(name, tensor.type(), shape, GgufWriter.Source.of(tensor.data()));
      }
      writer.write(other);
    }
    return other;
  }
}
