package dev.ridgeline.model.transformer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** What EmbeddingGemma was trained to see before a text, as its model card lists it. */
final class GemmaPrompts {
  static final Map<String, String> BY_TASK = byTask();

  private GemmaPrompts() {}

  private static SequencedMap<String, String> byTask() {
    SequencedMap<String, String> prompts = new LinkedHashMap<>();
    prompts.put("query", task("search result"));
    prompts.put("document", "title: none | text: ");
    prompts.put("question-answering", task("question answering"));
    prompts.put("fact-checking", task("fact checking"));
    prompts.put("classification", task("classification"));
    prompts.put("clustering", task("clustering"));
    prompts.put("similarity", task("sentence similarity"));
    prompts.put("code-retrieval", task("code retrieval"));
    return prompts;
  }

  private static String task(String name) {
    return "task: " + name + " | query: ";
  }
}
