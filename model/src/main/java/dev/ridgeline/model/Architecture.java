package dev.ridgeline.model;

import dev.ridgeline.model.bert.Bert;
import dev.ridgeline.model.gemma.GemmaEmbedding;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;

/** Which encoder a file is for. */
final class Architecture {
  private Architecture() {}

  static Encoder load(Gguf file, Device device) {
    String name = file.metadata().string("general.architecture");
    try {
      return switch (name) {
        case "bert" -> Bert.load(file, device);
        case "gemma-embedding" -> GemmaEmbedding.load(file, device);
        default ->
            throw new ModelException(
                "architecture '%s' makes no embeddings here; bert and gemma-embedding do"
                    .formatted(name));
      };
    } catch (ModelException e) {
      String path = file.path().toString();
      if (e.getMessage().startsWith(path)) throw e;
      throw new ModelException(path + ": " + e.getMessage(), e);
    }
  }
}
