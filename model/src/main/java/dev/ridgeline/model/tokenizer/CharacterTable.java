package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * A small number for each character, 0 where none was set. Filled once, then read by any thread.
 */
final class CharacterTable {
  private static final int PAGE = 256;
  private static final byte[] ZEROS = new byte[PAGE];

  private final byte[][] pages = new byte[(Character.MAX_CODE_POINT + 1) / PAGE][];

  CharacterTable() {
    Arrays.fill(pages, ZEROS);
  }

  int get(int character) {
    return pages[character >>> 8][character & 0xff];
  }

  void set(int character, int number) {
    int index = character >>> 8;
    if (pages[index] == ZEROS) pages[index] = new byte[PAGE];
    pages[index][character & 0xff] = (byte) number;
  }
}
