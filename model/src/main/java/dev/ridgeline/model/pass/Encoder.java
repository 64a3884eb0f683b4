package dev.ridgeline.model.pass;

import static dev.ridgeline.model.pass.PassScopes.POOLING;

import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * A model that makes one vector of each text. Its weights are shared; each {@link Pass} has memory
 * of its own.
 */
public interface Encoder extends Model {
  /** Tokens of a text at most. */
  default int context() {
    return shape().context();
  }

  /**
   * Shorter lengths that the first numbers of a vector are a vector in, too (Matryoshka), for files
   * that do not say it themselves.
   */
  default List<Integer> shorter() {
    return List.of();
  }

  /** What its authors put before texts, by task, for files that do not say it themselves. */
  default Map<String, String> prompts() {
    return Map.of();
  }

  /** Plans the memory for passes over batches. */
  Pass plan(Device device, int tokens, int texts);

  /** The memory that one batch at a time goes through. Not safe for several threads. */
  interface Pass extends AutoCloseable {
    /**
     * Runs a batch.
     *
     * @param ids one a row, in use as many as the texts have rows
     * @return a vector per text, not yet of length 1
     */
    Tensor run(Tensor ids, Sequences texts);

    /** Makes one vector of those of each text's tokens. */
    static void pool(Ops ops, Pooling pooling, Tensor out, Tensor x, Sequences texts) {
      try (var _ = Profiler.scope(POOLING)) {
        switch (pooling) {
          case MEAN -> ops.pool(Pooled.MEAN, out, x, texts);
          case CLS -> ops.pool(Pooled.FIRST, out, x, texts);
          case LAST -> ops.pool(Pooled.LAST, out, x, texts);
        }
      }
    }

    @Override
    void close();
  }
}
