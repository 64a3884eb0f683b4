package dev.ridgeline.model;

import dev.ridgeline.model.bert.Bert;
import dev.ridgeline.model.gemma.GemmaEmbedding;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.function.Supplier;

/** Which encoder or decoder a file is for. */
final class Architecture {
  private Architecture() {}

  static Encoder encoder(Gguf file, Device device) {
    String name = file.metadata().string("general.architecture");
    return named(
        file,
        () ->
            switch (name) {
              case "bert" -> Bert.load(file, device);
              case "gemma-embedding" -> GemmaEmbedding.load(file, device);
              default ->
                  throw new ModelException(
                      "architecture '%s' makes no embeddings here; bert and gemma-embedding do"
                          .formatted(name));
            });
  }

  static Decoder decoder(Gguf file, Device device) {
    String name = file.metadata().string("general.architecture");
    return named(
        file,
        () -> {
          throw new ModelException("architecture '%s' writes no text here".formatted(name));
        });
  }

  /** Whatever is wrong, the line begins with the file. */
  private static <T> T named(Gguf file, Supplier<T> load) {
    try {
      return load.get();
    } catch (ModelException e) {
      String path = file.path().toString();
      if (e.getMessage().startsWith(path)) throw e;
      throw new ModelException(path + ": " + e.getMessage(), e);
    }
  }
}
