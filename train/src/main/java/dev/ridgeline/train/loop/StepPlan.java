package dev.ridgeline.train.loop;

import dev.ridgeline.train.net.Kept;

/**
 * How a step is cut up.
 *
 * @param shards that a round is cut into, each with gradients of its own
 * @param textsEach texts of a shard
 * @param length tokens of a text
 * @param rounds of shards in a step, one after the other: more texts in the same memory
 * @param coarse whether shards are spread over the workers; else the work of each is
 * @param kept of each layer for its gradients
 */
public record StepPlan(
    int shards,
    int textsEach,
    int length,
    int rounds,
    boolean coarse,
    Kept kept,
    Optimizer optimizer) {
  /** Tokens that a shard has at least by default: adding up gradients is then a small part. */
  private static final int TOKENS = 256;

  /** Shards at most by default: as many as processors that a small machine has. */
  private static final int MOST = 16;

  /** Bytes that gradients of shards may take by default. */
  private static final long BYTES = 512L << 20;

  /**
   * What AdamW needs besides a rate.
   *
   * @param clip the length that all gradients together are cut to; 0 for none
   */
  public record Optimizer(double beta1, double beta2, double epsilon, double decay, double clip) {
    public Optimizer {
      if (!(beta1 >= 0 && beta1 < 1)) throw new IllegalArgumentException("beta1 " + beta1);
      if (!(beta2 >= 0 && beta2 < 1)) throw new IllegalArgumentException("beta2 " + beta2);
      if (!(epsilon > 0)) throw new IllegalArgumentException("epsilon " + epsilon);
      if (!(decay >= 0)) throw new IllegalArgumentException("decay " + decay);
      if (!(clip >= 0)) throw new IllegalArgumentException("clip " + clip);
    }
  }

  public StepPlan {
    if (shards < 1 || textsEach < 1 || length < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "%d rounds of %d shards of %d texts of %d".formatted(rounds, shards, textsEach, length));
    }
  }

  /**
   * Shards for a batch, by nothing but its size and the model's: so that a config means the same
   * everywhere.
   *
   * @param parameters numbers that are learnt
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
