package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Form;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Rows as a file has them, rearranged for an {@link IntegerProduct}. */
final class PackedWeights {
  private static final int BLOCK = 32;
  private static final int LINE = 4 * PANEL;
  private static final int LOWER = 0x0F0F_0F0F;

  /**
   * The least scale there is, for blocks whose scale is zero: a product adds to its exponent, and
   * zero has none. Their weights become zero instead.
   */
  private static final short LEAST = 1;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private PackedWeights() {}

  static long panelBytes(Form form, int inputs) {
    return (long) inputs / BLOCK * form.blockBytes();
  }

  /** Outputs that a panel has too many stay as they are: their scales are zero. */
  static void pack(
      Form form, long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long rowBytes = form.type.bytes(inputs);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int columns = Math.min(PANEL, outputs - panel * PANEL);
      long from = rows + (long) panel * PANEL * rowBytes;
      long to = packed + panel * panelBytes(form, inputs);
      for (int block = 0; block < inputs / BLOCK; block++) {
        for (int column = 0; column < columns; column++) {
          long at = from + column * rowBytes + (long) block * form.type.blockBytes();
          short scale = ALL.get(SHORT, at);
          boolean nothing = (scale & 0x7FFF) == 0;
          long scaleAt = to + form.quantBytes + 2L * column;
          ALL.set(SHORT, scaleAt, nothing ? LEAST : scale);
          if (form == Form.Q8_0) eight(at + 2, to + 4L * column, nothing);
          else four(at + 2, to + 4L * column, nothing);
        }
        to += form.blockBytes();
      }
    }
  }

  private static void eight(long from, long to, boolean nothing) {
    for (int quad = 0; quad < BLOCK / 4; quad++) {
      // Adds 128 to each byte.
      int weights = nothing ? 0 : ALL.get(INT, from + 4L * quad);
      ALL.set(INT, to + (long) quad * LINE, weights ^ 0x8080_8080);
    }
  }

  /** In a file, the upper halves of the 16 bytes have the second half of the block. */
  private static void four(long from, long to, boolean nothing) {
    for (int half = 0; half < 2; half++) {
      int a = nothing ? 0x8888_8888 : ALL.get(INT, from + 8L * half);
      int b = nothing ? 0x8888_8888 : ALL.get(INT, from + 8L * half + 4);
      ALL.set(INT, to + (long) half * LINE, a & LOWER | (b & LOWER) << 4);
      ALL.set(INT, to + (long) (half + 2) * LINE, a >>> 4 & LOWER | b & LOWER << 4);
    }
  }
}
