package dev.ridgeline.train.loop;

import dev.ridgeline.train.config.OptimizerConfig;
import dev.ridgeline.train.net.Kept;

/**
 * How a step is divided.
 *
 * @param shards of a round, each with gradients of its own
 * @param textsEach texts of a shard
 * @param length tokens of a text
 * @param rounds of shards in a step, which accumulate gradients in the same memory
 * @param coarse whether workers compute a shard each; otherwise all work on one shard at a time
 * @param kept of each layer for its backward pass
 */
public record StepPlan(
    int shards,
    int textsEach,
    int length,
    int rounds,
    boolean coarse,
    Kept kept,
    OptimizerConfig optimizer) {
  /** Fewest tokens of a shard by default: summing gradients is then a small part of the work. */
  private static final int TOKENS = 256;

  /** Most shards by default: the processors of a small machine. */
  private static final int MOST = 16;

  /** Most bytes of the gradients of all shards by default. */
  private static final long BYTES = 512L << 20;

  public StepPlan {
    if (shards < 1 || textsEach < 1 || length < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "%d rounds of %d shards of %d texts of %d".formatted(rounds, shards, textsEach, length));
    }
  }

  /**
   * The number of shards for a batch. It depends only on the sizes of batch and model, so that a
   * configuration gives the same result everywhere.
   *
   * @param parameters of the model
   */
  public static int shards(int texts, int length, long parameters) {
    long most = Math.min(MOST, Math.min((long) texts * length / TOKENS, BYTES / (4 * parameters)));
    for (int shards = (int) Math.max(1, most); shards > 1; shards--) {
      if (texts % shards == 0) return shards;
    }
    return 1;
  }

  /** Tokens of a shard. */
  public int tokensEach() {
    return Math.multiplyExact(textsEach, length);
  }

  /** Tokens of a step. */
  public int tokens() {
    return Math.multiplyExact(Math.multiplyExact(rounds, shards), tokensEach());
  }
}
