package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/** Some characters and the one or more that each becomes. Filled once, then read by any thread. */
final class CharacterMap {
  private final LongMap places = new LongMap(512);
  private int[] pool = new int[1024];
  private int poolSize;

  void put(int character, int... targets) {
    while (poolSize + targets.length >= pool.length) pool = Arrays.copyOf(pool, pool.length * 2);
    places.putIfAbsent(character, poolSize);
    pool[poolSize++] = targets.length;
    for (int target : targets) pool[poolSize++] = target;
  }

  /** Where the targets of a character stand, which must be in the map. */
  int place(int character) {
    return places.get(character);
  }

  int count(int place) {
    return pool[place];
  }

  int target(int place, int index) {
    return pool[place + 1 + index];
  }
}
