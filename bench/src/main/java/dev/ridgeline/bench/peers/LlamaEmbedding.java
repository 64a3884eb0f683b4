package dev.ridgeline.bench.peers;

import dev.ridgeline.oracle.LlamaEmbedder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.oracle.LlamaOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An embedder of llama.cpp, called in this process, with its own tokenizer. */
final class LlamaEmbedding implements Engine.Embedding {
  /** Tokens that go through a context together at most; every text has less. */
  private static final int BATCH = 512;

  /** Texts that do. */
  private static final int TEXTS = 64;

  private final Setup setup;
  private final List<String> texts;
  private final LlamaModel model;
  private final LlamaEmbedder[] contexts;
  private final Crew crew;
  private final int[][] ids;
  private final float[][] vectors;

  /**
   * How it is called.
   *
   * @param contexts that are used at once
   * @param threads of each
   * @param together whether as many texts as fit go through a context in one batch
   */
  record Setup(int contexts, int threads, boolean flash, boolean together) {
    static final List<Setup> ALL =
        List.of(
            new Setup(THREADS, 1, false, false),
            new Setup(THREADS, 1, true, false),
            new Setup(1, THREADS, false, false),
            new Setup(THREADS, 1, false, true),
            new Setup(1, THREADS, false, true));

    @Override
    public String toString() {
      return "%d × %d threads, %s, flash attention %s"
          .formatted(
              contexts,
              threads,
              together ? "batches of %d tokens".formatted(BATCH) : "one text a batch",
              flash ? "on" : "off");
    }
  }

  LlamaEmbedding(Path file, Setup setup, List<String> texts) {
    this.setup = setup;
    this.texts = texts;
    this.model = LlamaModel.load(file);
    this.contexts = new LlamaEmbedder[setup.contexts];
    LlamaOptions options =
        LlamaOptions.fast(BATCH, BATCH, setup.threads, setup.flash)
            .withTexts(setup.together ? TEXTS : 1);
    for (int i = 0; i < contexts.length; i++) contexts[i] = new LlamaEmbedder(model, options);
    this.crew = new Crew(setup.contexts);
    this.ids = new int[texts.size()][];
    this.vectors = new float[texts.size()][];
  }

  @Override
  public String name() {
    return "llama.cpp";
  }

  @Override
  public String setup() {
    return setup.toString();
  }

  @Override
  public Timing run() {
    long begin = System.nanoTime();
    crew.each(texts.size(), (_, i) -> ids[i] = model.tokenize(texts.get(i), true, true));
    if (setup.together) {
      List<List<Integer>> batches = batches();
      crew.each(batches.size(), (member, i) -> embed(contexts[member], batches.get(i)));
    } else {
      crew.each(texts.size(), (member, i) -> vectors[i] = contexts[member].embed(ids[i]));
    }
    return new Timing(texts.size(), System.nanoTime() - begin);
  }

  private List<List<Integer>> batches() {
    List<List<Integer>> batches = new ArrayList<>();
    int tokens = BATCH;
    for (int i = 0; i < ids.length; i++) {
      tokens += ids[i].length;
      if (tokens > BATCH || batches.getLast().size() == TEXTS) {
        batches.add(new ArrayList<>());
        tokens = ids[i].length;
      }
      batches.getLast().add(i);
    }
    return batches;
  }

  private void embed(LlamaEmbedder context, List<Integer> batch) {
    List<float[]> made = context.embed(batch.stream().map(i -> ids[i]).toList());
    for (int i = 0; i < made.size(); i++) vectors[batch.get(i)] = made.get(i);
  }

  @Override
  public List<float[]> vectors() {
    run();
    return List.of(vectors.clone());
  }

  @Override
  public void close() {
    crew.close();
    for (LlamaEmbedder context : contexts) context.close();
    model.close();
  }
}
