package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * Whole tokens that are looked for in a text as it stands: {@code [SEP]}, {@code <start_of_turn>}.
 *
 * <p>A node is a number; the way on is a hash table from node and character. Filled once, then read
 * by any thread.
 */
final class Trie {
  static final int ROOT = 0;
  private static final long FREE = -1;

  private long[] keys = free(64);
  private int[] targets = new int[64];
  private int ways;
  private int[] ids = {-1};
  private int nodes = 1;

  private static long[] free(int size) {
    long[] keys = new long[size];
    Arrays.fill(keys, FREE);
    return keys;
  }

  boolean isEmpty() {
    return nodes == 1;
  }

  void add(String text, int id) {
    if (text.isEmpty()) return;
    int node = ROOT;
    for (int i = 0; i < text.length(); i++) {
      int next = next(node, text.charAt(i));
      if (next < 0) {
        next = nodes++;
        if (nodes > ids.length) ids = Arrays.copyOf(ids, ids.length * 2);
        ids[next] = -1;
        put((long) node << 16 | text.charAt(i), next);
      }
      node = next;
    }
    ids[node] = id;
  }

  private void put(long key, int target) {
    if (++ways * 2 > keys.length) {
      long[] oldKeys = keys;
      int[] oldTargets = targets;
      keys = free(oldKeys.length * 2);
      targets = new int[keys.length];
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] == FREE) continue;
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        targets[slot] = oldTargets[i];
      }
    }
    int slot = slot(key);
    keys[slot] = key;
    targets[slot] = target;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * 0x9e3779b97f4a7c15L >>> 40) & mask;
    while (keys[slot] != FREE && keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }

  /** The node one character on, or −1. */
  int next(int node, char character) {
    int slot = slot((long) node << 16 | character);
    return keys[slot] == FREE ? -1 : targets[slot];
  }

  /** The token that ends at a node, or −1. */
  int id(int node) {
    return ids[node];
  }

  /** The longest token that begins here, or −1. */
  int longestAt(CharSequence text, int at) {
    int found = -1;
    int node = ROOT;
    for (int i = at; i < text.length(); i++) {
      node = next(node, text.charAt(i));
      if (node < 0) break;
      if (ids[node] >= 0) found = ids[node];
    }
    return found;
  }
}
