package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.texts.Entry;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.TextException;
import dev.ridgeline.model.shape.ModelException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** How close texts are to a query. */
record Comparison(Embedder embedder, String queryPrompt, String prompt) {
  /** Texts as they are, or behind what the embedder puts before all of them. */
  static Comparison plain(Embedder embedder) {
    return new Comparison(embedder, "", "");
  }

  /**
   * The query behind the prompt of a task, the others behind that of what the task looks for.
   *
   * @param embedder puts nothing before texts itself
   * @param model what an error calls it
   */
  static Comparison by(String task, Embedder embedder, String model) {
    try {
      var prompts = embedder.prompts();
      return new Comparison(embedder, prompts.before(task), prompts.beforeOthers(task));
    } catch (ModelException e) {
      throw new Problem(model + ": " + e.getMessage(), e);
    }
  }

  /** A text and its cosine to the query. */
  record Close(Entry entry, double cosine) {
    /** Of two that are as close, the earlier one counts as closer. */
    private static final Comparator<Close> CLOSEST =
        Comparator.comparingDouble(Close::cosine)
            .reversed()
            .thenComparingLong(close -> close.entry().index());
  }

  /**
   * The closest of the texts, the closest first.
   *
   * @param place what an error calls the query
   * @param most how many
   */
  List<Close> run(String query, String place, Texts others, int most, BatchedEmbedding embedding) {
    float[] wanted = vector(query, place);
    float[] vector = new float[embedder.dimensions()];
    PriorityQueue<Close> closest = new PriorityQueue<>(Close.CLOSEST.reversed());
    try {
      embedding.run(
          prompt,
          others,
          (entry, numbers, from) -> {
            System.arraycopy(numbers, from, vector, 0, vector.length);
            closest.add(new Close(entry, Embedder.cosine(wanted, vector)));
            if (closest.size() > most) closest.remove();
          });
    } catch (IOException e) {
      throw new AssertionError("memory is not a file", e);
    }
    List<Close> sorted = new ArrayList<>(closest);
    sorted.sort(Close.CLOSEST);
    return sorted;
  }

  private float[] vector(String query, String place) {
    try {
      return embedder.embed(queryPrompt + query);
    } catch (TextException e) {
      throw new Problem(place + " " + e.reason() + Problem.remedy(e), e);
    }
  }
}
