package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/** Some characters and the one or more that each becomes. Filled once, then read by any thread. */
final class CharacterMap {
  private int[] keys = free(1024);
  private int[] places = new int[1024];
  private int size;
  private int[] pool = new int[1024];
  private int poolSize;

  private static int[] free(int size) {
    int[] keys = new int[size];
    Arrays.fill(keys, -1);
    return keys;
  }

  void put(int character, int... targets) {
    if (++size * 2 > keys.length) grow();
    while (poolSize + targets.length >= pool.length) pool = Arrays.copyOf(pool, pool.length * 2);
    int slot = slot(character);
    keys[slot] = character;
    places[slot] = poolSize;
    pool[poolSize++] = targets.length;
    for (int target : targets) pool[poolSize++] = target;
  }

  private void grow() {
    int[] oldKeys = keys;
    int[] oldPlaces = places;
    keys = free(oldKeys.length * 2);
    places = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] < 0) continue;
      int slot = slot(oldKeys[i]);
      keys[slot] = oldKeys[i];
      places[slot] = oldPlaces[i];
    }
  }

  private int slot(int character) {
    int mask = keys.length - 1;
    int slot = character * 0x9e3779b9 >>> 16 & mask;
    while (keys[slot] >= 0 && keys[slot] != character) slot = (slot + 1) & mask;
    return slot;
  }

  /** Where the targets of a character stand, which must be in the map. */
  int place(int character) {
    return places[slot(character)];
  }

  int count(int place) {
    return pool[place];
  }

  int target(int place, int index) {
    return pool[place + 1 + index];
  }
}
