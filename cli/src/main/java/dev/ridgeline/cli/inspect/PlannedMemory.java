package dev.ridgeline.cli.inspect;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.Map;

/**
 * What a model takes outside the heap with the usual options, in the words of {@code profile}. The
 * model itself plans it, as it would to run, so that no second plan of its memory can be wrong.
 *
 * @param command what it is good for, {@code generate} or {@code embed}
 * @param owners the bytes of each
 */
record PlannedMemory(String command, Map<String, Long> owners) {
  /** Null for a file that does not run. */
  static PlannedMemory of(Gguf file) {
    try {
      return new PlannedMemory("generate", Generator.memory(file.path(), GeneratorOptions.DEFAULT));
    } catch (RuntimeException | OutOfMemoryError _) {
      // Of the other kind, perhaps.
    }
    try {
      return new PlannedMemory("embed", Embedder.memory(file.path(), EmbedderOptions.DEFAULT));
    } catch (RuntimeException | OutOfMemoryError _) {
      return null; // whoever runs it will be told why not
    }
  }

  long total() {
    return owners.values().stream().mapToLong(Long::longValue).sum();
  }
}
