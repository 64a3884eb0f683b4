package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * Joins neighbours in a run of bytes, always those that make the best token, the left ones first
 * where two are alike.
 *
 * <p>What could be joined waits in a heap; an entry whose neighbours are no longer what they were
 * is recognised when it comes up. So a run of n characters takes n log n steps.
 */
final class Merge {
  private byte[] text = new byte[256];
  private int length;

  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int[] before = new int[64];
  private int[] after = new int[64];
  private int[] ids = new int[64];
  private int[] found = new int[64];
  private int count;

  /** Rank above, index of the left neighbour below: the least is joined first. */
  private long[] heap = new long[64];

  private int waiting;

  void clear() {
    length = 0;
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds a character that is not cut, with its token or −1. */
  void add(int character, Lexicon lexicon) {
    room();
    int from = length;
    length = Utf8.write(character, text, length);
    add(from, length, lexicon.find(text, from, length));
  }

  /** Adds the bytes of a character one by one, each with its token or −1. */
  void addBytes(int character, int[] tokens) {
    room();
    int from = length;
    length = Utf8.write(character, text, length);
    for (int at = from; at < length; at++) add(at, at + 1, tokens[unsigned(at)]);
  }

  private void room() {
    if (length + Utf8.LONGEST > text.length) text = Arrays.copyOf(text, text.length * 2);
  }

  private void add(int from, int to, int id) {
    if (count == starts.length) grow();
    starts[count] = from;
    ends[count] = to;
    ids[count++] = id;
  }

  private void grow() {
    int size = count * 2;
    starts = Arrays.copyOf(starts, size);
    ends = Arrays.copyOf(ends, size);
    before = Arrays.copyOf(before, size);
    after = Arrays.copyOf(after, size);
    ids = Arrays.copyOf(ids, size);
    found = Arrays.copyOf(found, size);
  }

  /** The token of some of the bytes, or −1. */
  int find(Lexicon lexicon, int from, int to) {
    return lexicon.find(text, from, to);
  }

  /** The token of all bytes together, or −1. */
  int whole(Lexicon lexicon) {
    return lexicon.find(text, 0, length);
  }

  /** Joins as long as there is something to join. */
  void run(Joins joins) {
    waiting = 0;
    for (int i = 0; i < count; i++) {
      before[i] = i - 1;
      after[i] = i + 1 < count ? i + 1 : -1;
    }
    for (int i = 0; i < count; i++) consider(i, joins);
    while (waiting > 0) {
      long best = pop();
      int left = (int) best;
      if (found[left] < 0 || joins.rank(found[left]) != (int) (best >>> 32)) continue;
      join(left, joins.id(found[left]));
      consider(left, joins);
      if (before[left] >= 0) consider(before[left], joins);
    }
  }

  /** What the neighbours at a place would make together. */
  private void consider(int left, Joins joins) {
    int right = after[left];
    found[left] = right < 0 ? -1 : joins.find(this, left, right);
    if (found[left] >= 0) push((long) joins.rank(found[left]) << 32 | left);
  }

  private void join(int left, int id) {
    int right = after[left];
    ids[left] = id;
    ends[left] = ends[right];
    after[left] = after[right];
    if (after[left] >= 0) before[after[left]] = left;
    found[right] = -1;
  }

  private void push(long entry) {
    if (waiting == heap.length) heap = Arrays.copyOf(heap, waiting * 2);
    int at = waiting++;
    while (at > 0) {
      int parent = at - 1 >> 1;
      if (heap[parent] <= entry) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = entry;
  }

  private long pop() {
    long best = heap[0];
    long last = heap[--waiting];
    int at = 0;
    for (int child = 1; child < waiting; child = 2 * at + 1) {
      if (child + 1 < waiting && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= last) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return best;
  }

  /** The first of what is left, or the one after another; −1 at the end. */
  int after(int index) {
    return after[index];
  }

  /** The token at a place, or −1 for a character without one. */
  int id(int index) {
    return ids[index];
  }

  int start(int index) {
    return starts[index];
  }

  int end(int index) {
    return ends[index];
  }

  int unsigned(int at) {
    return text[at] & 0xff;
  }
}
