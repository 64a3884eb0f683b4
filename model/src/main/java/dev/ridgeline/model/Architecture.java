package dev.ridgeline.model;

import dev.ridgeline.model.bert.Bert;
import dev.ridgeline.model.gpt2.Gpt2;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.transformer.Transformer;
import dev.ridgeline.model.transformer.TransformerEmbedding;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.function.Supplier;

/** Which encoder or decoder a file is for. */
public final class Architecture {
  private Architecture() {}

  /** The encoder of a file, its weights taken to a device. */
  static Encoder encoder(Gguf file, Device device) {
    String name = file.metadata().string("general.architecture");
    return named(
        file,
        () ->
            switch (name) {
              case "bert" -> Bert.load(file, device);
              case "gemma-embedding", "qwen3" ->
                  TransformerEmbedding.load(DecoderFamily.of(name), file, device);
              case "llama", "qwen2", "gemma3", "gpt2" ->
                  throw new ModelException(name + " makes text, not embeddings: use generate");
              default ->
                  throw new ModelException(
                      "architecture '%s' makes no embeddings here; bert, gemma-embedding and qwen3 do"
                          .formatted(name));
            });
  }

  /** The decoder of a file, its weights taken to a device. */
  public static Decoder decoder(Gguf file, Device device) {
    String name = file.metadata().string("general.architecture");
    return named(
        file,
        () -> {
          if (name.equals("bert") || name.equals("gemma-embedding")) {
            throw new ModelException(name + " makes embeddings, not text: use embed");
          }
          DecoderFamily family = DecoderFamily.of(name);
          if (family != null) return Transformer.load(family, file, device);
          if (name.equals("gpt2")) return Gpt2.load(file, device);
          throw new ModelException(
              "architecture '%s' writes no text here; llama, qwen2, qwen3, gemma3 and gpt2 do"
                  .formatted(name));
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
