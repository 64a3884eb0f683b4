package dev.ridgeline.model.decoder;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** The same model with other metadata, or without some tensors. */
final class Variant {
  private Variant() {}

  static Path of(Path model, Map<String, Object> keys) {
    return of(model, keys, Set.of());
  }

  static Path of(Path model, Map<String, Object> keys, Set<String> dropped) {
    Path other = model.resolveSibling("variant.gguf");
    try (Gguf file = Gguf.open(model)) {
      GgufWriter writer = new GgufWriter().putAll(file.metadata());
      keys.forEach(writer::put);
      for (GgufTensor tensor : file.tensors()) {
        if (dropped.contains(tensor.name())) continue;
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        writer.tensor(tensor.name(), tensor.type(), shape, GgufWriter.Source.of(tensor.data()));
      }
      writer.write(other);
    }
    return other;
  }
}
