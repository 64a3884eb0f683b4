package dev.ridgeline.model.store;

import dev.ridgeline.model.shape.Pooling;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A model that can be named without saying where it is.
 *
 * @param name as users write it; its files in a jar are called so, too
 * @param title as its authors write it
 * @param origin where it is published
 * @param use what it is for
 * @param embedding how it makes vectors of texts, or null for a model that writes texts
 * @param dimensions length of a vector
 * @param context most tokens of a text
 * @param licence of the weights, as SPDX names it
 */
public record KnownModel(
    String name,
    String title,
    Origin origin,
    Use use,
    Embedding embedding,
    int dimensions,
    int context,
    String licence) {

  /**
   * What a model that makes vectors of texts wants.
   *
   * @param queryPrefix what its authors put before a question, or ""
   * @param documentPrefix what its authors put before a text to be found, or ""
   */
  public record Embedding(Pooling pooling, String queryPrefix, String documentPrefix) {
    /** What is put before texts, by task; nothing for a model that takes every text as it is. */
    Map<String, String> prompts() {
      if (queryPrefix.isEmpty() && documentPrefix.isEmpty()) return Map.of();
      SequencedMap<String, String> prompts = new LinkedHashMap<>();
      prompts.put("query", queryPrefix);
      prompts.put("document", documentPrefix);
      return prompts;
    }
  }

  String onnxFile() {
    return name + ".onnx";
  }

  String tokenizerFile() {
    return name + "-tokenizer.json";
  }
}
