package dev.ridgeline.model.tokenizer;

import java.util.Arrays;
import java.util.function.IntFunction;

/** The bytes that each token stands for in a text, one behind the other. */
final class Pieces {
  private byte[] pool = new byte[1 << 12];
  private final int[] starts;
  private int longest;

  /**
   * @param bytes of an id; none for a token that is not part of the text
   */
  Pieces(int size, IntFunction<byte[]> bytes) {
    starts = new int[size + 1];
    for (int id = 0; id < size; id++) add(id, bytes.apply(id));
    pool = Arrays.copyOf(pool, starts[size]);
  }

  private void add(int id, byte[] piece) {
    int from = starts[id];
    int to = Math.addExact(from, piece.length);
    if (to > pool.length) pool = Arrays.copyOf(pool, Math.max(to, pool.length * 2));
    System.arraycopy(piece, 0, pool, from, piece.length);
    starts[id + 1] = to;
    longest = Math.max(longest, piece.length);
  }

  /** Writes the bytes of a token and returns where the next go. */
  int write(int id, byte[] target, int at) {
    int length = starts[id + 1] - starts[id];
    System.arraycopy(pool, starts[id], target, at, length);
    return at + length;
  }

  int longest() {
    return longest;
  }
}
