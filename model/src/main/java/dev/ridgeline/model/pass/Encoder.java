package dev.ridgeline.model.pass;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * A model that makes one vector of each text. Its weights are shared; each {@link Pass} has memory
 * of its own.
 */
public interface Encoder extends AutoCloseable {
  /** Numbers of a text's vector. */
  int width();

  /** Tokens of a text at most. */
  int context();

  /** Ids of tokens are below this. */
  int vocabulary();

  /**
   * Shorter lengths that the first numbers of a vector are a vector in, too (Matryoshka), for files
   * that do not say it themselves.
   */
  default List<Integer> shorter() {
    return List.of();
  }

  /** What it is, in a few words: {@code bert, 6 layers of 384}. */
  String description();

  /** What its authors put before texts, by task, for files that do not say it themselves. */
  default Map<String, String> prompts() {
    return Map.of();
  }

  /** Plans the memory for passes over batches. */
  Pass plan(Device device, int tokens, int texts);

  @Override
  void close();

  /** The memory that one batch at a time goes through. Not safe for several threads. */
  interface Pass extends AutoCloseable {
    /**
     * Runs a batch.
     *
     * @param ids one a row, in use as many as the texts have rows
     * @return a vector per text, not yet of length 1
     */
    Tensor run(Tensor ids, Sequences texts);

    @Override
    void close();
  }
}
