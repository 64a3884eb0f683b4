package dev.ridgeline.model.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * From the UTF-8 bytes of a piece to its id: an open hash table over one array of bytes, because a
 * {@code Map<String, Integer>} would want a new string for each question.
 *
 * <p>Filled once, then read by any thread.
 */
final class Lexicon {
  private static final int SEED = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private byte[] pool;
  private int poolSize;
  private int[] starts;
  private int[] ids;
  private int count;
  private int[] slots;
  private int longest;

  /**
   * @param expected how many pieces will be added, or about so many: to make room again and again
   *     would cost each start as much as to add them
   */
  Lexicon(int expected) {
    pool = new byte[8 * expected + 64];
    starts = new int[expected + 2];
    ids = new int[expected + 2];
    slots = filled(Integer.highestOneBit(2 * expected + 2) << 1);
  }

  private static int[] filled(int size) {
    int[] slots = new int[size];
    Arrays.fill(slots, -1);
    return slots;
  }

  /** The bytes of the longest piece. */
  int longest() {
    return longest;
  }

  /** Adds a piece; the last one wins where two are spelled alike. */
  void add(String piece, int id) {
    add(piece.getBytes(StandardCharsets.UTF_8), id);
  }

  /** The same of a piece that need not be whole characters. */
  void add(byte[] bytes, int id) {
    if (bytes.length == 0) return;
    int hash = hash(bytes, 0, bytes.length);
    int slot = slot(bytes, 0, bytes.length, hash);
    if (slots[slot] >= 0) {
      ids[slots[slot]] = id;
      return;
    }
    if (count + 1 == ids.length) {
      ids = Arrays.copyOf(ids, ids.length * 2);
      starts = Arrays.copyOf(starts, starts.length * 2);
    }
    while (poolSize + bytes.length > pool.length) pool = Arrays.copyOf(pool, pool.length * 2);
    System.arraycopy(bytes, 0, pool, poolSize, bytes.length);
    ids[count] = id;
    starts[count] = poolSize;
    poolSize += bytes.length;
    starts[count + 1] = poolSize;
    slots[slot] = count++;
    longest = Math.max(longest, bytes.length);
    if (count * 2 > slots.length) grow();
  }

  private void grow() {
    slots = filled(slots.length * 2);
    for (int entry = 0; entry < count; entry++) {
      int from = starts[entry];
      int to = starts[entry + 1];
      slots[slot(pool, from, to, hash(pool, from, to))] = entry;
    }
  }

  /** The id of a piece, or −1. */
  int find(byte[] text, int from, int to) {
    if (to - from > longest) return -1;
    return find(text, from, to, hash(text, from, to));
  }

  /** The id of a piece whose hash is known already, or −1. */
  int find(byte[] text, int from, int to, int hash) {
    int entry = slots[slot(text, from, to, hash)];
    return entry < 0 ? -1 : ids[entry];
  }

  static int hash(byte[] text, int from, int to) {
    int hash = SEED;
    for (int i = from; i < to; i++) hash = hash(hash, text[i]);
    return hash;
  }

  /** The hash of nothing, to begin with. */
  static int hash() {
    return SEED;
  }

  /** The hash of one byte more. */
  static int hash(int hash, byte next) {
    return (hash ^ next) * PRIME;
  }

  private int slot(byte[] text, int from, int to, int hash) {
    int mask = slots.length - 1;
    int slot = (hash ^ hash >>> 15) & mask;
    while (true) {
      int entry = slots[slot];
      if (entry < 0) return slot;
      if (Arrays.equals(pool, starts[entry], starts[entry + 1], text, from, to)) return slot;
      slot = (slot + 1) & mask;
    }
  }
}
