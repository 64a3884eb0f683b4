package dev.ridgeline.model;

import dev.ridgeline.tensor.gguf.Metadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a model was trained to see before a text, by task: {@code query} and {@code document} for
 * most.
 *
 * @param byTask in the order of the model's authors
 */
public record Prompts(Map<String, String> byTask) {
  /** GGUF has no keys for prompts; these are ours, one per task. */
  public static final String KEY = "ridgeline.prompt.";

  /**
   * Those of a file.
   *
   * @param usual those of its architecture, for files that have none
   */
  static Prompts of(Metadata metadata, Map<String, String> usual) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String key : metadata.keys()) {
      if (key.startsWith(KEY)) found.put(key.substring(KEY.length()), metadata.string(key));
    }
    return new Prompts(found.isEmpty() ? usual : found);
  }

  public Set<String> tasks() {
    return byTask.keySet();
  }

  /** The text before those of a task; capital letters count nothing. */
  public String before(String task) {
    for (var each : byTask.entrySet()) {
      if (each.getKey().equalsIgnoreCase(task)) return each.getValue();
    }
    throw new ModelException(
        byTask.isEmpty()
            ? "task '%s': this model has no prompts, it takes every text as it is".formatted(task)
            : "no task '%s'; this model has %s".formatted(task, String.join(", ", tasks())));
  }
}
