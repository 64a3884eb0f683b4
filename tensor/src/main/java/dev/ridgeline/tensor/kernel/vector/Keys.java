package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

/**
 * The keys of attention as weights: each key an output, turned so that 32 keys lie side by side.
 */
final class Keys implements Weights {
  private long k;
  private int rowStride;
  private int keys;
  private int width;
  private float scale;

  Keys of(long k, int rowStride, int keys, int width, float scale) {
    this.k = k;
    this.rowStride = rowStride;
    this.keys = keys;
    this.width = width;
    this.scale = scale;
    return this;
  }

  @Override
  public int outputs() {
    return keys;
  }

  @Override
  public int inputs() {
    return width;
  }

  @Override
  public long panel(int panel, int from, int depth, long scratch) {
    int first = panel * PANEL;
    for (int j = 0; j < PANEL; j++) {
      // Past the last key its numbers are repeated: what they give is not stored.
      long row = k + 4L * rowStride * Math.min(first + j, keys - 1) + 4L * from;
      turn(row, depth, scale, scratch + 4L * j);
    }
    return scratch;
  }

  private static void turn(long row, int depth, float scale, long out) {
    for (int i = 0; i < depth; i++)
      Lanes.set(out + 4L * PANEL * i, scale * Lanes.get(row + 4L * i));
  }

  @Override
  public int stride(int panel) {
    return 4 * PANEL;
  }
}
