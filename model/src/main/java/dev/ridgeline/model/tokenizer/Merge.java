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
  private int[] joined = new int[64];
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

  void add(int character) {
    if (length + Utf8.LONGEST > text.length) text = Arrays.copyOf(text, text.length * 2);
    if (count == starts.length) grow();
    starts[count] = length;
    length = Utf8.write(character, text, length);
    ends[count++] = length;
  }

  private void grow() {
    int size = count * 2;
    starts = Arrays.copyOf(starts, size);
    ends = Arrays.copyOf(ends, size);
    before = Arrays.copyOf(before, size);
    after = Arrays.copyOf(after, size);
    ids = Arrays.copyOf(ids, size);
    joined = Arrays.copyOf(joined, size);
  }

  /** Joins as long as there is something to join. */
  void run(Lexicon lexicon, int[] ranks) {
    waiting = 0;
    for (int i = 0; i < count; i++) {
      before[i] = i - 1;
      after[i] = i + 1 < count ? i + 1 : -1;
      ids[i] = lexicon.find(text, starts[i], ends[i]);
    }
    for (int i = 0; i < count; i++) consider(i, lexicon, ranks);
    while (waiting > 0) {
      long best = pop();
      int left = (int) best;
      if (joined[left] < 0 || ranks[joined[left]] != (int) (best >>> 32)) continue;
      join(left);
      consider(left, lexicon, ranks);
      if (before[left] >= 0) consider(before[left], lexicon, ranks);
    }
  }

  /** What the neighbours at a place would make together. */
  private void consider(int left, Lexicon lexicon, int[] ranks) {
    int right = after[left];
    joined[left] = right < 0 ? -1 : lexicon.find(text, starts[left], ends[right]);
    if (joined[left] >= 0) push((long) ranks[joined[left]] << 32 | left);
  }

  private void join(int left) {
    int right = after[left];
    ids[left] = joined[left];
    ends[left] = ends[right];
    after[left] = after[right];
    if (after[left] >= 0) before[after[left]] = left;
    joined[right] = -1;
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
