package dev.ridgeline.model;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.OwnKeys;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a model was trained to see before a text, by task: {@code query} and {@code document} for
 * most.
 *
 * @param byTask in the order of the model's authors
 */
public record Prompts(Map<String, String> byTask) {
  /** What the names of tasks hold that look for documents. */
  private static final List<String> SEARCHES =
      List.of("query", "question", "fact", "retrieval", "rerank", "search");

  /**
   * Those of a file.
   *
   * @param usual those of its architecture, for files that have none
   */
  static Prompts of(Metadata metadata, Map<String, String> usual) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String key : metadata.keys()) {
      if (key.startsWith(OwnKeys.PROMPT))
        found.put(key.substring(OwnKeys.PROMPT.length()), metadata.string(key));
    }
    return new Prompts(found.isEmpty() ? usual : found);
  }

  /**
   * The text before what those of a task are compared with: that of documents where the task is to
   * find them, else the task's own, since both sides are alike.
   */
  public String beforeOthers(String task) {
    String name = task.toLowerCase(Locale.ROOT);
    if (SEARCHES.stream().noneMatch(name::contains)) return before(task);
    return tasks().stream().anyMatch("document"::equalsIgnoreCase) ? before("document") : "";
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
