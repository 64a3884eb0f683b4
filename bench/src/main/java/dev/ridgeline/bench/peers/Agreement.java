package dev.ridgeline.bench.peers;

import java.util.List;

/**
 * Whether two engines did the same work.
 *
 * @param between whom: {@code llama.cpp and ridgeline}
 * @param found in words
 * @param holds whether they are as much alike as they must be for a comparison of times
 */
record Agreement(String between, String found, boolean holds) {
  /** What vectors of quantized weights must have in common in the mean. */
  private static final double LEAST_MEAN = 0.98;

  /** What every vector of f32 must. */
  private static final double LEAST_EXACT = 0.999;

  /** What is promised of our quantized vectors beside our exact ones. */
  private static final double PROMISED_MEAN = 0.9995;

  private static final double PROMISED_WORST = 0.998;

  /**
   * How much less than its favourite an engine may think of a token that another chose, as a part
   * of the range of all its scores. llama.cpp's own runs of Q8_0 differ by 0.013 of it.
   */
  private static final double MOST_REGRET = 0.05;

  /** Vectors of the same texts. */
  static Agreement ofVectors(String between, List<float[]> a, List<float[]> b, boolean exact) {
    Cosines cosines = Cosines.of(a, b);
    boolean holds = exact ? cosines.worst >= LEAST_EXACT : cosines.mean >= LEAST_MEAN;
    return new Agreement(between, cosines.toString(), holds);
  }

  /** Our vectors of quantized weights and those of exact ones. */
  static Agreement ofQuantized(List<float[]> quantized, List<float[]> exact) {
    Cosines cosines = Cosines.of(quantized, exact);
    return new Agreement(
        "ridgeline and its own f32",
        cosines + ", promised %s and %s".formatted(PROMISED_MEAN, PROMISED_WORST),
        cosines.mean >= PROMISED_MEAN && cosines.worst >= PROMISED_WORST);
  }

  /**
   * Tokens that one engine chose, in the eyes of another.
   *
   * @param scores what the other thought of every token at that point, a row for each
   */
  static Agreement ofTokens(String between, int[] tokens, float[][] scores) {
    int same = 0;
    double worst = 0;
    for (int i = 0; i < tokens.length; i++) {
      float least = Float.POSITIVE_INFINITY;
      float most = Float.NEGATIVE_INFINITY;
      for (float score : scores[i]) {
        least = Math.min(least, score);
        most = Math.max(most, score);
      }
      double regret = (most - scores[i][tokens[i]]) / (most - least);
      if (regret == 0) same++;
      worst = Math.max(worst, regret); // what is no number stays none, and is too much
    }
    return new Agreement(
        between,
        "%d of %d tokens are the other's first choice, the worst is %.4f of its range behind"
            .formatted(same, tokens.length, worst),
        worst <= MOST_REGRET);
  }

  @Override
  public String toString() {
    return between + ": " + found + (holds ? "" : ": NOT ENOUGH");
  }

  /** How alike vectors are. */
  private record Cosines(double mean, double worst) {
    static Cosines of(List<float[]> a, List<float[]> b) {
      double sum = 0;
      double worst = 1;
      for (int i = 0; i < a.size(); i++) {
        double cosine = cosine(a.get(i), b.get(i));
        sum += cosine;
        worst = Math.min(worst, cosine);
      }
      return new Cosines(sum / a.size(), worst);
    }

    private static double cosine(float[] a, float[] b) {
      double product = 0;
      double squareA = 0;
      double squareB = 0;
      for (int i = 0; i < a.length; i++) {
        product += (double) a[i] * b[i];
        squareA += (double) a[i] * a[i];
        squareB += (double) b[i] * b[i];
      }
      return product / Math.sqrt(squareA * squareB);
    }

    @Override
    public String toString() {
      return "cosine mean %.6f, worst %.6f".formatted(mean, worst);
    }
  }
}
