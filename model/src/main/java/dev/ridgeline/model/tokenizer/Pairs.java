package dev.ridgeline.model.tokenizer;

/**
 * Pairs of tokens and what each makes, in the order in which they are joined.
 *
 * <p>Filled once, then read by any thread.
 */
final class Pairs implements Joins {
  private final LongMap ranks;
  private final int[] made;
  private int count;

  Pairs(int most) {
    ranks = new LongMap(most);
    made = new int[most];
  }

  /** Adds a pair behind the others; one that is there keeps its place. */
  void add(int left, int right, int makes) {
    made[count] = makes;
    ranks.putIfAbsent(key(left, right), count++);
  }

  @Override
  public int find(Merge merge, int left, int right) {
    int first = merge.id(left);
    int second = merge.id(right);
    return first < 0 || second < 0 ? -1 : ranks.get(key(first, second));
  }

  @Override
  public int rank(int found) {
    return found;
  }

  @Override
  public int id(int found) {
    return made[found];
  }

  private static long key(int left, int right) {
    return (long) left << 32 | right;
  }
}
