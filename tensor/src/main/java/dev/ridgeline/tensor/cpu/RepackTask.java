package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;

/** Packs a matrix of f32 whose rows have changed, panel by panel. */
final class RepackTask implements Workers.Task {
  private Kernels kernels;
  private CpuTensor matrix;
  private CpuTensor rows;
  private boolean transposed;

  void run(CpuDevice device, CpuTensor to, CpuTensor from, boolean turns) {
    kernels = device.kernels();
    matrix = to;
    rows = from;
    transposed = turns;
    try {
      int panels = (to.rows() + Kernels.PANEL - 1) / Kernels.PANEL;
      // A number or two at a time: ten operations each.
      device.workers().run(this, panels, 10L * Kernels.PANEL * to.columns());
    } finally {
      matrix = null;
      rows = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    long at = matrix.address;
    if (transposed) {
      kernels.packTransposed(rows.address, rows.rows(), rows.columns(), at, from, to);
    } else {
      kernels.pack(TensorType.F32, rows.address, rows.rows(), rows.columns(), at, from, to);
    }
  }

  @Override
  public boolean isTheWork() {
    return true;
  }
}
