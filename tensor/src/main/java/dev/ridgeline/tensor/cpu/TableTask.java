package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;

/**
 * Adds rows to those of a table that they were looked up in: in their order, since an id may come
 * again, so shared out by columns.
 */
final class TableTask implements Workers.Task {
  private static final int COLUMNS = NormTask.COLUMNS;

  private CpuDevice device;
  private CpuTensor table;
  private CpuTensor dy;
  private CpuTensor ids;

  void run(CpuDevice on, Tensor dTable, Tensor rows, Tensor ofRows) {
    device = on;
    table = (CpuTensor) dTable;
    dy = (CpuTensor) rows;
    ids = (CpuTensor) ofRows;
    try {
      BackwardTask.check("rows backward", "id", ofRows, 0, table.rows(), table);
      int units = (dy.columns() + COLUMNS - 1) / COLUMNS;
      device.workers().run(this, units, 8L * 2 * COLUMNS * dy.rows());
    } finally {
      device = null;
      table = null;
      dy = null;
      ids = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    device
        .kernels()
        .grad()
        .rows(
            table.address,
            table.stride,
            dy.address,
            dy.stride,
            ids.address,
            dy.rows(),
            from * COLUMNS,
            Math.min(dy.columns(), to * COLUMNS));
  }
}
