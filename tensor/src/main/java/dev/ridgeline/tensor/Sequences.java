package dev.ridgeline.tensor;

import java.util.Arrays;

/**
 * Where texts of different lengths begin in the packed rows of a batch: text {@code i} has rows
 * {@code start(i)} to {@code start(i + 1) − 1}. The program knows it, and so does the device.
 *
 * <p>A text may continue tokens that are in a cache already. Its table of pages then says where:
 * tokens {@code 32·i} to {@code 32·i + 31} are in page {@code pages[i]}.
 */
public final class Sequences implements AutoCloseable {
  private final Device device;
  private final int[] start;
  private final int[] position;
  private final int[] past;
  private final int[][] pages;
  private final Tensor starts;
  private final Tensor positions;
  private int count;
  private int longest;
  private int deepest;
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
    this.past = new int[texts];
    this.pages = new int[texts][];
    this.starts = device.allocate(owner, TensorType.I32, texts + 1, 1);
    this.positions = device.allocate(owner, TensorType.I32, rows, 1);
  }

  /** Forgets all texts. */
  public void clear() {
    Arrays.fill(pages, 0, count, null);
    count = 0;
    longest = 0;
    deepest = 0;
    written = false;
  }

  /** Appends a whole text. */
  public void add(int length) {
    put(length, 0, null);
  }

  /**
   * Appends the next tokens of a text.
   *
   * @param length how many
   * @param before tokens of the text that are in the cache already
   * @param table its pages, those for the new tokens included; not copied, so it may not change
   *     until {@link #clear}
   */
  public void add(int length, int before, int[] table) {
    if (before < 0) throw new IllegalArgumentException("%d tokens before".formatted(before));
    if ((long) length + before > (long) table.length * Device.PAGE) {
      throw new IllegalArgumentException(
          "%d tokens after %d: %d pages have room for %d"
              .formatted(length, before, table.length, (long) table.length * Device.PAGE));
    }
    put(length, before, table);
  }

  private void put(int length, int before, int[] table) {
    if (length < 1) throw new IllegalArgumentException("a text of %d rows".formatted(length));
    if (count == start.length - 1) {
      throw new IllegalArgumentException("more than the planned %d texts".formatted(count));
    }
    int from = start[count];
    if (length > position.length - from) {
      throw new IllegalArgumentException(
          "%d rows after %d: room for %d".formatted(length, from, position.length));
    }
    for (int i = 0; i < length; i++) position[from + i] = before + i;
    past[count] = before;
    pages[count] = table;
    start[++count] = from + length;
    longest = Math.max(longest, length);
    deepest = Math.max(deepest, before + length);
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

  /** Tokens of a text before its first row, which are in the cache already. */
  public int past(int text) {
    if (text >= count) throw new IndexOutOfBoundsException(text);
    return past[text];
  }

  /** The table of a text's pages, or null. */
  public int[] pages(int text) {
    if (text >= count) throw new IndexOutOfBoundsException(text);
    return pages[text];
  }

  /** Tokens of the longest text, those before its rows included. */
  public int deepest() {
    return deepest;
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

  /** Each row's position in its own text, counted from the text's first token, on the device. */
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
