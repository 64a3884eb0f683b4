package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * Where whole tokens stand in a text: the longest are given their places first, as llama.cpp does
 * it, so that a longer one beats a shorter one that begins before it.
 */
final class Cover {
  private static final int WITHIN = -1;

  /** Of each character: 0, the token that begins here plus one, or {@link #WITHIN}. */
  private int[] owners = new int[256];

  private int[] candidates = new int[64];
  private int count;

  /** Looks for tokens; false where there is none, and then nothing else may be asked. */
  boolean find(Trie trie, int[] lengths, CharSequence text) {
    if (trie.isEmpty()) return false;
    count = 0;
    int longest = 0;
    for (int at = 0; at < text.length(); at++)
      longest = Math.max(longest, note(trie, lengths, text, at));
    if (count == 0) return false;
    if (owners.length < text.length()) owners = new int[Math.max(text.length(), owners.length * 2)];
    Arrays.fill(owners, 0, text.length(), 0);
    while (longest > 0) longest = place(trie, lengths, text, longest);
    return true;
  }

  /** Whether a token begins here at all, and the bytes of the longest. */
  private int note(Trie trie, int[] lengths, CharSequence text, int at) {
    int id = trie.longestAt(text, at);
    if (id < 0) return 0;
    if (count == candidates.length) candidates = Arrays.copyOf(candidates, count * 2);
    candidates[count++] = at;
    return lengths[id];
  }

  /** Gives the tokens of one length their places; returns the next shorter length there is. */
  private int place(Trie trie, int[] lengths, CharSequence text, int length) {
    int shorter = 0;
    for (int c = 0; c < count; c++) {
      int at = candidates[c];
      int node = Trie.ROOT;
      for (int i = at; i < text.length() && owners[i] == 0; i++) {
        node = trie.next(node, text.charAt(i));
        if (node < 0) break;
        int id = trie.id(node);
        if (id < 0) continue;
        if (lengths[id] < length) shorter = Math.max(shorter, lengths[id]);
        if (lengths[id] == length) {
          Arrays.fill(owners, at, i + 1, WITHIN);
          owners[at] = id + 1;
          break;
        }
      }
    }
    return shorter;
  }

  /** The token that begins at a character, or −1. */
  int id(int at) {
    return owners[at] - 1;
  }
}
