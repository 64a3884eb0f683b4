package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * From numbers that are not negative to others, without boxes. Filled once, then read by any
 * thread.
 */
final class LongMap {
  private static final long FREE = -1;

  private long[] keys;
  private int[] values;
  private int size;

  /**
   * @param expected how many entries will be added, or about so many
   */
  LongMap(int expected) {
    room(Integer.highestOneBit(Math.max(16, expected)) * 4);
  }

  private void room(int slots) {
    keys = new long[slots];
    Arrays.fill(keys, FREE);
    values = new int[slots];
  }

  /** The value of a key, or −1. */
  int get(long key) {
    int slot = slot(key);
    return keys[slot] == FREE ? -1 : values[slot];
  }

  /** Adds an entry; a key that is there keeps its value. */
  void putIfAbsent(long key, int value) {
    int slot = slot(key);
    if (keys[slot] != FREE) return;
    keys[slot] = key;
    values[slot] = value;
    if (++size * 2 > keys.length) grow();
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    room(oldKeys.length * 2);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] == FREE) continue;
      int slot = slot(oldKeys[i]);
      keys[slot] = oldKeys[i];
      values[slot] = oldValues[i];
    }
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * 0x9e3779b97f4a7c15L >>> 32) & mask;
    while (keys[slot] != FREE && keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
}
