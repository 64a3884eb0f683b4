package dev.ridgeline.model.tokenizer;

import java.util.Arrays;
import java.util.Objects;

/**
 * Ids that an encoder appended, and the room it worked in.
 *
 * <p>Grows to the longest text and keeps that; used again for the next text, it allocates nothing.
 * Not safe for concurrent use: one for each thread.
 */
public final class Tokens {
  private int[] ids = new int[256];
  private int size;
  final Word word = new Word();
  final Merge merge = new Merge();
  final Cover cover = new Cover();

  public int size() {
    return size;
  }

  public int get(int index) {
    return ids[Objects.checkIndex(index, size)];
  }

  /** A copy of the ids. */
  public int[] ids() {
    return Arrays.copyOf(ids, size);
  }

  /** Copies a range of the ids to where the caller has room. */
  public void copy(int from, int to, int[] target, int at) {
    Objects.checkFromToIndex(from, to, size);
    System.arraycopy(ids, from, target, at, to - from);
  }

  public void add(int id) {
    if (size == ids.length) ids = Arrays.copyOf(ids, size * 2);
    ids[size++] = id;
  }

  public void set(int index, int id) {
    ids[Objects.checkIndex(index, size)] = id;
  }

  /** Forgets all ids from this index on. */
  public void truncate(int size) {
    this.size = Objects.checkIndex(size, this.size + 1);
  }

  public void clear() {
    size = 0;
  }

  @Override
  public String toString() {
    return Arrays.toString(ids());
  }
}
