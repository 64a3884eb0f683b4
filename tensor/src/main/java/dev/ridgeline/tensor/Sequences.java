package dev.ridgeline.tensor;

import java.util.Arrays;

/**
 * Where texts of different lengths begin in the packed rows of a batch: text {@code i} has rows
 * {@code start(i)} to {@code start(i + 1) − 1}. The program knows it, and so does the device.
 */
public final class Sequences implements AutoCloseable {
  private final Device device;
  private final int[] start;
  private final int[] position;
  private final Tensor starts;
  private final Tensor positions;
  private int count;
  private int longest;
  private boolean written;

  /**
   * Room for a batch.
   *
   * @param texts the most texts
   * @param rows the most rows of all texts together
   */
  public Sequences(Device device, String owner, int texts, int rows) {
    this.device = device;
    this.start = new int[texts + 1];
    this.position = new int[rows];
    this.starts = device.allocate(owner, TensorType.I32, texts + 1, 1);
    this.positions = device.allocate(owner, TensorType.I32, rows, 1);
  }

  /** Forgets all texts. */
  public void clear() {
    count = 0;
    longest = 0;
    written = false;
  }

  /** Puts a text behind the others. */
  public void add(int length) {
    if (length < 1) throw new IllegalArgumentException("a text of %d rows".formatted(length));
    if (count == start.length - 1) {
      throw new IllegalArgumentException("more than the planned %d texts".formatted(count));
    }
    int from = start[count];
    if (length > position.length - from) {
      throw new IllegalArgumentException(
          "%d rows behind %d: room for %d".formatted(length, from, position.length));
    }
    for (int i = 0; i < length; i++) position[from + i] = i;
    start[++count] = from + length;
    longest = Math.max(longest, length);
    written = false;
  }

  /** Texts in the batch. */
  public int count() {
    return count;
  }

  /** Rows of all texts together. */
  public int rows() {
    return start[count];
  }

  /** First row of a text; that of text {@code count()} is the end of the last. */
  public int start(int text) {
    if (text > count) throw new IndexOutOfBoundsException(text);
    return start[text];
  }

  public int length(int text) {
    return start(text + 1) - start[text];
  }

  /** Rows of the longest text. */
  public int longest() {
    return longest;
  }

  /** The text that a row belongs to. */
  public int textOf(int row) {
    int at = Arrays.binarySearch(start, 0, count, row);
    return at >= 0 ? at : -at - 2;
  }

  /** The starts on the device, the end included. */
  public Tensor starts() {
    write();
    return starts;
  }

  /** Each row's position in its own text, on the device. */
  public Tensor positions() {
    write();
    return positions;
  }

  private void write() {
    if (written) return;
    device.write(starts.rows(count + 1), start, 0);
    device.write(positions.rows(rows()), position, 0);
    written = true;
  }

  Device device() {
    return device;
  }

  @Override
  public void close() {
    starts.close();
    positions.close();
  }
}
