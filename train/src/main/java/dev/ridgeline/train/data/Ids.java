package dev.ridgeline.train.data;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** Token ids, two bytes each where the vocabulary allows it. */
final class Ids {
  private static final int SHORTS = 1 << 16;

  /** An array has no more. */
  static final int MOST = Integer.MAX_VALUE - 64;

  private short[] narrow;
  private int[] wide;
  private int size;

  Ids(int vocabulary) {
    if (vocabulary <= SHORTS) narrow = new short[1 << 12];
    else wide = new int[1 << 12];
  }

  int size() {
    return size;
  }

  /** Appends an id; false where there is no room for more. */
  boolean add(int id) {
    if (size == MOST) return false;
    if (size == capacity()) resize((int) Math.min(MOST, size * 2L));
    if (wide != null) wide[size++] = id;
    else narrow[size++] = (short) id;
    return true;
  }

  private int capacity() {
    return wide != null ? wide.length : narrow.length;
  }

  /** Gives back what is not needed. */
  void trim() {
    resize(size);
  }

  private void resize(int length) {
    if (wide != null) wide = Arrays.copyOf(wide, length);
    else narrow = Arrays.copyOf(narrow, length);
  }

  int get(int index) {
    return wide != null ? wide[index] : narrow[index] & 0xffff;
  }

  void copy(int from, int count, int[] target, int at) {
    if (wide != null) {
      System.arraycopy(wide, from, target, at, count);
      return;
    }
    for (int i = 0; i < count; i++) target[at + i] = narrow[from + i] & 0xffff;
  }

  /** Of all ids in their order, whichever way they are kept. */
  long checksum() {
    CRC32C sum = new CRC32C();
    for (int i = 0; i < size; i++) {
      int id = get(i);
      sum.update(id);
      sum.update(id >>> 8);
      sum.update(id >>> 16);
      sum.update(id >>> 24);
    }
    return sum.getValue();
  }
}
