package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

/** The values of attention as weights: each key an input; they lie as a product reads them. */
final class Values implements Weights {
  private long v;
  private int rowStride;
  private int keys;
  private int width;

  Values of(long v, int rowStride, int keys, int width) {
    this.v = v;
    this.rowStride = rowStride;
    this.keys = keys;
    this.width = width;
    return this;
  }

  @Override
  public int outputs() {
    return width;
  }

  @Override
  public int inputs() {
    return keys;
  }

  @Override
  public long panel(int panel, int from, int depth, long scratch) {
    long start = v + 4L * rowStride * from + 4L * PANEL * panel;
    if (whole(panel)) return start;
    int columns = width - panel * PANEL;
    for (int i = 0; i < depth; i++) {
      long row = start + 4L * rowStride * i;
      long out = scratch + 4L * PANEL * i;
      for (int j = 0; j < PANEL; j++) {
        Lanes.set(out + 4L * j, j < columns ? Lanes.get(row + 4L * j) : 0);
      }
    }
    return scratch;
  }

  @Override
  public int stride(int panel) {
    return 4 * (whole(panel) ? rowStride : PANEL);
  }

  private boolean whole(int panel) {
    return (panel + 1) * PANEL <= width;
  }
}
