package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/** Neighbours make whatever the vocabulary has, the best scores first. */
final class ScoredPieces implements Joins {
  private final Lexicon lexicon;
  private final int[] ranks;

  ScoredPieces(Lexicon lexicon, Vocabulary vocabulary) {
    this.lexicon = lexicon;
    this.ranks = ranks(vocabulary);
  }

  /** Places in the order of the scores, the best first; equal scores share one. */
  private static int[] ranks(Vocabulary vocabulary) {
    float[] sorted = new float[vocabulary.size()];
    for (int id = 0; id < sorted.length; id++) sorted[id] = -vocabulary.score(id);
    Arrays.sort(sorted);
    int[] ranks = new int[sorted.length];
    for (int id = 0; id < ranks.length; id++) {
      ranks[id] = first(sorted, -vocabulary.score(id));
    }
    return ranks;
  }

  private static int first(float[] sorted, float score) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = low + high >>> 1;
      if (Float.compare(sorted[middle], score) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  @Override
  public int find(Merge merge, int left, int right) {
    return merge.find(lexicon, merge.start(left), merge.end(right));
  }

  @Override
  public int rank(int found) {
    return ranks[found];
  }

  @Override
  public int id(int found) {
    return found;
  }
}
