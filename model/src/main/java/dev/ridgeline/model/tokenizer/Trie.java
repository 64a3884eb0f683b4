package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * Whole tokens that are looked for in a text as it stands: {@code [SEP]}, {@code <start_of_turn>}.
 *
 * <p>A node is a number; the way on is a table from node and character. Filled once, then read by
 * any thread.
 */
final class Trie {
  static final int ROOT = 0;
  private final LongMap ways = new LongMap(16);
  private int[] ids = {-1};
  private int nodes = 1;

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
        ways.putIfAbsent(way(node, text.charAt(i)), next);
      }
      node = next;
    }
    ids[node] = id;
  }

  /** The node one character on, or −1. */
  int next(int node, char character) {
    return ways.get(way(node, character));
  }

  private static long way(int node, char character) {
    return (long) node << 16 | character;
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
