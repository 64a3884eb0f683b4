package dev.ridgeline.model.tokenizer;

import java.util.Arrays;

/**
 * A small number for each character, 0 where none was set. Filled once, then read by any thread.
 */
final class CharacterTable {
  private static final int PAGE = 256;

  /** Pages that are one number throughout, by that number. */
  private final byte[][] uniform = new byte[128][];

  private final byte[][] pages = new byte[(Character.MAX_CODE_POINT + 1) / PAGE][];

  CharacterTable() {
    Arrays.fill(pages, uniform(0));
  }

  int get(int character) {
    return pages[character >>> 8][character & 0xff];
  }

  void set(int character, int number) {
    own(character >>> 8)[character & 0xff] = (byte) number;
  }

  /**
   * Sets some bits of all characters from one to another, both included. Ideographs fill hundreds
   * of pages, at each start: those that hold one number throughout are one page.
   *
   * @param mask the bits that are set
   */
  void set(int from, int to, int mask, int bits) {
    for (int at = from; at <= to; at++) {
      byte[] page = pages[at >>> 8];
      if ((at & 0xff) == 0 && at + PAGE - 1 <= to && page == uniform[page[0]]) {
        pages[at >>> 8] = uniform(page[0] & ~mask | bits);
        at += PAGE - 1;
      } else {
        set(at, get(at) & ~mask | bits);
      }
    }
  }

  private byte[] uniform(int number) {
    if (uniform[number] == null) {
      uniform[number] = new byte[PAGE];
      Arrays.fill(uniform[number], (byte) number);
    }
    return uniform[number];
  }

  /** A page that no other characters have. */
  private byte[] own(int index) {
    byte[] page = pages[index];
    if (page == uniform[page[0]]) pages[index] = page.clone();
    return pages[index];
  }
}
