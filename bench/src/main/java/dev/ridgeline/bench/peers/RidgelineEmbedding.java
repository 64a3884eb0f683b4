package dev.ridgeline.bench.peers;

import dev.ridgeline.model.Embedder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Our embedder. Tokenizing is part of it, always: it takes texts. */
final class RidgelineEmbedding implements Engine.Embedding {
  private final Embedder embedder;
  private final List<String> texts;
  private final float[] vectors;

  /**
   * @param embedder closed with this
   */
  RidgelineEmbedding(Embedder embedder, List<String> texts) {
    this.embedder = embedder;
    this.texts = texts;
    this.vectors = new float[texts.size() * embedder.dimensions()];
  }

  @Override
  public String name() {
    return "ridgeline";
  }

  @Override
  public String setup() {
    return embedder.plan(texts.size()).toString();
  }

  @Override
  public Timing run() {
    long begin = System.nanoTime();
    embedder.embed(texts, vectors);
    return new Timing(texts.size(), System.nanoTime() - begin);
  }

  @Override
  public List<float[]> vectors() {
    run();
    int length = embedder.dimensions();
    List<float[]> all = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      all.add(Arrays.copyOfRange(vectors, i * length, (i + 1) * length));
    }
    return all;
  }

  @Override
  public void close() {
    embedder.close();
  }
}
