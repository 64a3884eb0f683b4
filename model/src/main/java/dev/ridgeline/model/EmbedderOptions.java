package dev.ridgeline.model;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.DeviceChoice;
import java.util.Objects;

/**
 * How an {@link Embedder} works.
 *
 * @param strategy how texts are spread over the workers
 * @param device what computes
 * @param batch texts that are embedded together at most
 * @param truncate whether a text longer than the model's context is cut, not refused
 * @param dimensions of the result, 0 for all; only models trained for it can be cut
 * @param prefix put before every text, {@code "query: "} for instance; null for that of the task
 * @param task whose {@linkplain Prompts prompt} the model wants before every text, null for none
 */
public record EmbedderOptions(
    Strategy strategy,
    DeviceChoice device,
    int batch,
    boolean truncate,
    int dimensions,
    String prefix,
    String task) {

  public static final EmbedderOptions DEFAULT =
      new EmbedderOptions(Strategy.AUTO, DeviceChoice.DEFAULT, 64, false, 0, null, null);

  public static final int MOST_WORKERS = 512;

  /** More fill no cache better, and each has room of its own. */
  public static final int MOST_BATCH = 65_536;

  public EmbedderOptions {
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(device, "device");
    int workers = device.workers();
    if (workers < 0) throw new ModelException("workers " + workers + ": at least 1");
    if (batch < 1) throw new ModelException("batch " + batch + ": at least 1");
    if (workers > MOST_WORKERS) {
      throw new ModelException("workers " + workers + ": at most " + MOST_WORKERS);
    }
    if (batch > MOST_BATCH) throw new ModelException("batch " + batch + ": at most " + MOST_BATCH);
    if (dimensions < 0) throw new ModelException("dimensions " + dimensions + ": at least 1");
  }

  public EmbedderOptions withStrategy(Strategy next) {
    return new EmbedderOptions(next, device, batch, truncate, dimensions, prefix, task);
  }

  public EmbedderOptions withDevice(DeviceChoice next) {
    return new EmbedderOptions(strategy, next, batch, truncate, dimensions, prefix, task);
  }

  public EmbedderOptions withWorkers(int next) {
    return withDevice(device.withWorkers(next));
  }

  public EmbedderOptions withBatch(int next) {
    return new EmbedderOptions(strategy, device, next, truncate, dimensions, prefix, task);
  }

  public EmbedderOptions withTruncation() {
    return new EmbedderOptions(strategy, device, batch, true, dimensions, prefix, task);
  }

  public EmbedderOptions withDimensions(int next) {
    return new EmbedderOptions(strategy, device, batch, truncate, next, prefix, task);
  }

  public EmbedderOptions withPrefix(String next) {
    return new EmbedderOptions(strategy, device, batch, truncate, dimensions, next, task);
  }

  public EmbedderOptions withTask(String next) {
    return new EmbedderOptions(strategy, device, batch, truncate, dimensions, prefix, next);
  }

  /** With matrices that stay in the file. */
  public EmbedderOptions withoutRepacking() {
    return withDevice(device.withoutRepacking());
  }
}
