package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.ModelException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** How close texts are to the first of them. */
final class Comparison {
  private final Embedder embedder;
  private final String first;
  private final String others;

  private Comparison(Embedder embedder, String first, String others) {
    this.embedder = embedder;
    this.first = first;
    this.others = others;
  }

  /** Texts as they are, or behind what the embedder puts before all of them. */
  static Comparison plain(Embedder embedder) {
    return new Comparison(embedder, "", "");
  }

  /**
   * The first text behind the prompt of a task, the others behind that of what the task looks for.
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

  /** A text and its cosine to the first. */
  record Close(String text, double cosine) {}

  /** All texts but the first, the closest first. */
  List<Close> run(Texts source, Conveyor conveyor) {
    HeldTexts all = source.held();
    List<float[]> vectors = new ArrayList<>();
    List<Long> indices = new ArrayList<>();
    try {
      conveyor.run(
          all.behind(first, others),
          (index, numbers, from) -> {
            indices.add(index);
            vectors.add(Arrays.copyOfRange(numbers, from, from + embedder.dimensions()));
          });
    } catch (IOException e) {
      throw new AssertionError("memory is no file", e);
    }
    if (vectors.size() < 2) {
      throw new Problem("--similarity compares texts with the first: give two");
    }
    List<Close> close = new ArrayList<>();
    for (int i = 1; i < vectors.size(); i++) {
      double cosine = Embedder.cosine(vectors.getFirst(), vectors.get(i));
      close.add(new Close(all.text(indices.get(i)), cosine));
    }
    close.sort(Comparator.comparingDouble(Close::cosine).reversed());
    return close;
  }
}
