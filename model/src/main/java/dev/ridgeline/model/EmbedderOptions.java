package dev.ridgeline.model;

import java.util.Objects;

/**
 * How an {@link Embedder} works.
 *
 * @param strategy how texts are spread over the workers
 * @param workers threads that compute, 0 for one per core
 * @param batch texts that are embedded together at most
 * @param truncate whether a text longer than the model's context is cut, not refused
 * @param dimensions of the result, 0 for all; only models trained for it can be cut
 * @param prefix put before every text, {@code "query: "} for instance; null for that of the task
 * @param task whose {@linkplain Prompts prompt} the model wants before every text, null for none
 * @param repack whether matrices are copied into the layout of the kernels; else they stay in the
 *     file, which takes less memory and far more time, and changes no result
 */
public record EmbedderOptions(
    Strategy strategy,
    int workers,
    int batch,
    boolean truncate,
    int dimensions,
    String prefix,
    String task,
    boolean repack) {

  public static final EmbedderOptions DEFAULT =
      new EmbedderOptions(Strategy.AUTO, 0, 64, false, 0, null, null, true);

  public static final int MOST_WORKERS = 512;

  /** More fill no cache better, and each has room of its own. */
  public static final int MOST_BATCH = 65_536;

  public EmbedderOptions {
    Objects.requireNonNull(strategy, "strategy");
    if (workers < 0) throw new ModelException("workers " + workers + ": at least 1");
    if (batch < 1) throw new ModelException("batch " + batch + ": at least 1");
    if (workers > MOST_WORKERS) {
      throw new ModelException("workers " + workers + ": at most " + MOST_WORKERS);
    }
    if (batch > MOST_BATCH) throw new ModelException("batch " + batch + ": at most " + MOST_BATCH);
    if (dimensions < 0) throw new ModelException("dimensions " + dimensions + ": at least 1");
  }

  public EmbedderOptions withStrategy(Strategy next) {
    return new EmbedderOptions(next, workers, batch, truncate, dimensions, prefix, task, repack);
  }

  public EmbedderOptions withWorkers(int next) {
    return new EmbedderOptions(strategy, next, batch, truncate, dimensions, prefix, task, repack);
  }

  public EmbedderOptions withBatch(int next) {
    return new EmbedderOptions(strategy, workers, next, truncate, dimensions, prefix, task, repack);
  }

  public EmbedderOptions withTruncation() {
    return new EmbedderOptions(strategy, workers, batch, true, dimensions, prefix, task, repack);
  }

  public EmbedderOptions withDimensions(int next) {
    return new EmbedderOptions(strategy, workers, batch, truncate, next, prefix, task, repack);
  }

  public EmbedderOptions withPrefix(String next) {
    return new EmbedderOptions(strategy, workers, batch, truncate, dimensions, next, task, repack);
  }

  public EmbedderOptions withTask(String next) {
    return new EmbedderOptions(
        strategy, workers, batch, truncate, dimensions, prefix, next, repack);
  }

  /** With matrices that stay in the file. */
  public EmbedderOptions withoutRepacking() {
    return new EmbedderOptions(strategy, workers, batch, truncate, dimensions, prefix, task, false);
  }
}
