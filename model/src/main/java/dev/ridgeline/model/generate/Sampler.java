package dev.ridgeline.model.generate;

import dev.ridgeline.model.shape.ModelException;

/**
 * Draws tokens as a {@link Sampling} says. All room is taken at the start: a draw allocates
 * nothing. One thread at a time.
 */
final class Sampler {
  private final int[] candidates;
  private final double[] weights;

  /** The draw in which a token's score was last lowered, so that each is lowered once. */
  private final int[] lowered;

  private int draw;
  private Sampling sampling;
  private long state;

  Sampler(int vocabulary) {
    candidates = new int[vocabulary];
    weights = new double[vocabulary];
    lowered = new int[vocabulary];
  }

  /** The next draw is the first of a text. */
  void begin(Sampling how) {
    sampling = how;
    state = how.seed();
  }

  /**
   * The next token.
   *
   * @param scores of all tokens; changed
   * @param tokens of the text so far
   */
  int next(float[] scores, int[] tokens, int length) {
    lower(scores, tokens, length);
    int best = best(scores);
    if (sampling.temperature() == 0) return best;
    return draw(scores, best);
  }

  private void lower(float[] scores, int[] tokens, int length) {
    float penalty = sampling.repeatPenalty();
    if (penalty == 1) return;
    draw++;
    for (int i = Math.max(0, length - sampling.repeatLast()); i < length; i++) {
      int id = tokens[i];
      if (lowered[id] == draw) continue;
      lowered[id] = draw;
      scores[id] = scores[id] > 0 ? scores[id] / penalty : scores[id] * penalty;
    }
  }

  /** The first of the highest scores, which must be numbers. */
  private static int best(float[] scores) {
    int best = 0;
    boolean numbers = true;
    for (int i = 0; i < scores.length; i++) {
      numbers &= scores[i] == scores[i];
      if (scores[i] > scores[best]) best = i;
    }
    if (!numbers || !(Math.abs(scores[best]) <= Float.MAX_VALUE)) {
      throw new ModelException("the model's scores are no numbers: its weights are damaged");
    }
    return best;
  }

  private int draw(float[] scores, int best) {
    float top = scores[best];
    int count = sampling.topK() == 0 && sampling.topP() == 1 ? all() : likeliest(scores, top);
    // Below this a token is not minP times as likely as the first.
    double least = top + Math.log(sampling.minP());
    double sum = 0;
    for (int i = 0; i < count; i++) {
      float score = scores[candidates[i]];
      weights[i] = score < least ? 0 : Math.exp((score - top) / sampling.temperature());
      sum += weights[i];
    }
    double target = random() * sum;
    for (int i = 0; i < count; i++) {
      target -= weights[i];
      if (target < 0) return candidates[i];
    }
    return best;
  }

  private int all() {
    for (int id = 0; id < candidates.length; id++) candidates[id] = id;
    return candidates.length;
  }

  /** Puts the tokens within {@code topK} and {@code topP} first, in order; answers how many. */
  private int likeliest(float[] scores, float top) {
    if (sampling.topK() == 0) {
      double sum = 0;
      for (float score : scores) sum += Math.exp(score - top);
      return order(scores, top, sampling.topP() * sum);
    }
    int count = Math.min(sampling.topK(), scores.length);
    select(scores, count);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += Math.exp(scores[candidates[i]] - top);
    double sofar = 0;
    int within = 0;
    while (within < count && (within == 0 || sofar < sampling.topP() * sum)) {
      sofar += Math.exp(scores[candidates[within++]] - top);
    }
    return within;
  }

  /** Puts so many of the likeliest tokens first, in order: one look at most of the others. */
  private void select(float[] scores, int count) {
    for (int i = 0; i < count; i++) candidates[i] = i;
    for (int i = count / 2 - 1; i >= 0; i--) sink(scores, i, count, true);
    for (int id = count; id < scores.length; id++) {
      if (!before(scores, id, candidates[0])) continue;
      candidates[0] = id;
      sink(scores, 0, count, true);
    }
    for (int left = count - 1; left > 0; left--) {
      int last = candidates[0];
      candidates[0] = candidates[left];
      candidates[left] = last;
      sink(scores, 0, left, true);
    }
  }

  /** Puts the likeliest tokens first, in order, until they weigh enough; answers how many. */
  private int order(float[] scores, float top, double enough) {
    int left = all();
    for (int i = left / 2 - 1; i >= 0; i--) sink(scores, i, left, false);
    // The heap gives its first away to the place behind it: what is taken lies there, backwards.
    int taken = 0;
    double sum = 0;
    while (left > 0 && sum < enough) {
      int id = candidates[0];
      sum += Math.exp(scores[id] - top);
      taken++;
      candidates[0] = candidates[--left];
      candidates[left] = id;
      sink(scores, 0, left, false);
    }
    int last = candidates.length - 1;
    for (int i = 0; i < Math.min(taken, candidates.length / 2); i++) {
      int swapped = candidates[i];
      candidates[i] = candidates[last - i];
      candidates[last - i] = swapped;
    }
    return taken;
  }

  /**
   * Lets a candidate sink until the heap is one.
   *
   * @param worst whether the least likely comes first, or else the likeliest
   */
  private void sink(float[] scores, int at, int size, boolean worst) {
    int id = candidates[at];
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      boolean other =
          child + 1 < size && before(scores, candidates[child + 1], candidates[child]) != worst;
      if (other) child++;
      if (before(scores, candidates[child], id) == worst) break;
      candidates[at] = candidates[child];
      at = child;
    }
    candidates[at] = id;
  }

  /** Whether one token is likelier than another; of equals the lower id is. */
  private static boolean before(float[] scores, int a, int b) {
    return scores[a] > scores[b] || scores[a] == scores[b] && a < b;
  }

  /** From 0 to below 1: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
  private double random() {
    long z = state += 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return ((z ^ z >>> 31) >>> 11) * 0x1p-53;
  }
}
