package dev.ridgeline.tensor;

/**
 * The heads of an attention, and what their tokens see.
 *
 * @param count heads of queries
 * @param keyHeads each serves {@code count / keyHeads} heads in a row
 * @param scale what scores are multiplied by
 * @param before how many tokens before itself a token sees; {@link #ANY} is no limit
 * @param after the same after itself; 0 is causal
 */
public record Heads(int count, int keyHeads, float scale, int before, int after) {
  /** No limit. */
  public static final int ANY = Integer.MAX_VALUE;

  /** Pairs of tokens that see each other, where those of the batch come after what is cached. */
  public long pairs(Sequences texts) {
    long pairs = 0;
    for (int i = 0; i < texts.count(); i++) {
      int past = texts.past(i);
      pairs += Ops.pairs(past + texts.length(i), before, after) - Ops.pairs(past, before, after);
    }
    return pairs;
  }
}
