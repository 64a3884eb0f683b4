package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * Pairs of tokens and what each makes, in the order in which they are joined.
 *
 * <p>Filled once, then read by any thread.
 */
final class Pairs implements Joins {
  private static final long FREE = -1;

  private final long[] keys;
  private final int[] ranks;
  private final int[] made;
  private int count;

  Pairs(int most) {
    int size = Integer.highestOneBit(Math.max(8, most)) * 4;
    keys = new long[size];
    Arrays.fill(keys, FREE);
    ranks = new int[size];
    made = new int[most];
  }

  /** Adds a pair behind the others; one that is there keeps its place. */
  void add(int left, int right, int makes) {
    made[count] = makes;
    int slot = slot(key(left, right));
    if (keys[slot] == FREE) {
      keys[slot] = key(left, right);
      ranks[slot] = count;
    }
    count++;
  }

  @Override
  public int find(Merge merge, int left, int right) {
    int first = merge.id(left);
    int second = merge.id(right);
    if (first < 0 || second < 0) return -1;
    int slot = slot(key(first, second));
    return keys[slot] == FREE ? -1 : ranks[slot];
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

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * 0x9e3779b97f4a7c15L >>> 32) & mask;
    while (keys[slot] != FREE && keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
}
