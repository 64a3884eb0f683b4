package dev.ridgeline.model.store;

import dev.ridgeline.model.Pooling;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A model that can be named without saying where it is.
 *
 * @param name as users write it; its files in the jar are called so, too
 * @param title as its authors write it
 * @param artifact the jar that holds its ONNX file and its {@code tokenizer.json}
 * @param jarBytes what fetching it takes
 * @param onnxDigest SHA-256 of the ONNX file
 * @param tokenizerDigest SHA-256 of {@code tokenizer.json}
 * @param queryPrefix what its authors put before a question, or ""
 * @param documentPrefix what its authors put before a text to be found, or ""
 * @param dimensions length of an embedding
 * @param context most tokens of a text
 * @param licence of the weights, as SPDX names it
 */
public record KnownModel(
    String name,
    String title,
    Artifact artifact,
    long jarBytes,
    String onnxDigest,
    String tokenizerDigest,
    Pooling pooling,
    String queryPrefix,
    String documentPrefix,
    int dimensions,
    int context,
    String licence) {

  /** What is put before texts, by task; nothing for a model that takes every text as it is. */
  Map<String, String> prompts() {
    if (queryPrefix.isEmpty() && documentPrefix.isEmpty()) return Map.of();
    SequencedMap<String, String> prompts = new LinkedHashMap<>();
    prompts.put("query", queryPrefix);
    prompts.put("document", documentPrefix);
    return prompts;
  }

  String onnxFile() {
    return name + ".onnx";
  }

  String tokenizerFile() {
    return name + "-tokenizer.json";
  }
}
