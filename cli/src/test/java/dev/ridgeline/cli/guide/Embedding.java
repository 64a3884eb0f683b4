package dev.ridgeline.cli.guide;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.Strategy;
import java.util.List;

/** The Java of the README and of {@code docs/embed.md}; every part between marks stands there. */
final class Embedding {
  private Embedding() {}

  static void readme() {
    // begin readme
    try (Embedder embedder = Embedder.open("all-minilm-l6-v2")) {
      float[] a = embedder.embed("Where does the time go?");
      float[] b = embedder.embed("Most of it goes into matrix products.");
      System.out.println(Embedder.cosine(a, b));
    }
    // end
  }

  static void options(List<String> texts) {
    // begin options
    EmbedderOptions options =
        EmbedderOptions.DEFAULT.withStrategy(Strategy.COARSE).withWorkers(4).withTask("query");
    try (Embedder embedder = Embedder.open("e5-small-v2:f32", options)) {
      float[] vectors = new float[texts.size() * embedder.dimensions()];
      embedder.embed(texts, vectors); // one after the other; allocates nothing once warm
    }
    // end
  }
}
