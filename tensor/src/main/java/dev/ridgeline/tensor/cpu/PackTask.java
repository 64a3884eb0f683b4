package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;

/** Packs a matrix, panel by panel. */
final class PackTask implements Workers.Task {
  private Kernels kernels;
  private CpuTensor matrix;
  private long rows;
  private boolean transposed;

  /** Set by any worker, read when all have ended. */
  private volatile boolean finite;

  /**
   * Packs rows of the matrix's type.
   *
   * @param turns whether there is a row per input; else per output
   * @return what {@link Kernels#pack} says of all panels
   */
  boolean run(CpuDevice device, CpuTensor to, long from, boolean turns) {
    kernels = device.kernels();
    matrix = to;
    rows = from;
    transposed = turns;
    finite = true;
    try {
      int panels = (to.rows() + Kernels.PANEL - 1) / Kernels.PANEL;
      // A number or two at a time: ten operations each.
      device.workers().run(this, panels, 10L * Kernels.PANEL * to.columns());
      return finite;
    } finally {
      matrix = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    int outputs = matrix.rows();
    int inputs = matrix.columns();
    long at = matrix.address;
    if (transposed) kernels.packTransposed(rows, inputs, outputs, at, from, to);
    else if (!kernels.pack(matrix.type(), rows, outputs, inputs, at, from, to)) finite = false;
  }

  @Override
  public boolean isTheWork() {
    return true;
  }
}
