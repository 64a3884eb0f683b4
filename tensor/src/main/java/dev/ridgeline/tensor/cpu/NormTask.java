package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.grad.NormBackward;
import dev.ridgeline.tensor.kernel.GradKernels;

/**
 * The gradient of a norm: by its rows, which are independent, then by its weights, which are sums
 * over rows and so are shared out by columns. Sums are made block by block of rows, the same for
 * any number of workers; one worker alone makes them while the block is still in its cache.
 */
final class NormTask implements Workers.Task {
  /** Columns that are handed out together: two cache lines. */
  static final int COLUMNS = 32;

  /** Numbers of a block: three tensors' are 384 kB. */
  private static final int BLOCK = 1 << 15;

  private GradKernels kernels;
  private boolean byRows;
  private CpuTensor dx;
  private CpuTensor dWeight;
  private CpuTensor dBias;
  private CpuTensor dy;
  private CpuTensor x;
  private CpuTensor weight;
  private float epsilon;
  private boolean add;
  private CpuTensor stats;

  /**
   * Says what {@link #run(CpuDevice, Tensor, Tensor, Tensor, NormBackward)} works on besides rows.
   *
   * @param biasesOrNull null for a root mean square
   */
  void weights(Tensor of, Tensor gradients, Tensor biasesOrNull) {
    weight = (CpuTensor) of;
    dWeight = (CpuTensor) gradients;
    dBias = (CpuTensor) biasesOrNull;
  }

  void run(CpuDevice device, Tensor ofX, Tensor ofResult, Tensor rows, NormBackward how) {
    kernels = device.kernels().grad();
    dx = (CpuTensor) ofX;
    dy = (CpuTensor) ofResult;
    x = (CpuTensor) rows;
    epsilon = how.epsilon();
    add = how.add();
    stats = (CpuTensor) how.stats();
    try {
      Workers workers = device.workers();
      int count = x.rows();
      int width = x.columns();
      if (workers.count() == 1) {
        int block = block();
        for (int from = 0; from == 0 || from < count; from += block) {
          int to = Math.min(count, from + block);
          rows(from, to);
          columns(from, to, 0, width);
        }
      } else {
        byRows = true;
        workers.run(this, count, 8L * 8 * width);
        byRows = false;
        workers.run(this, (width + COLUMNS - 1) / COLUMNS, 8L * 4 * COLUMNS * count);
      }
    } finally {
      weights(null, null, null);
      dx = null;
      dy = null;
      x = null;
      stats = null;
    }
  }

  /** Rows of a block. */
  private int block() {
    return Math.max(4, BLOCK / x.columns() / 4 * 4);
  }

  @Override
  public void run(int worker, int from, int to) {
    if (byRows) {
      rows(from, to);
      return;
    }
    int columnTo = Math.min(x.columns(), to * COLUMNS);
    int block = block();
    for (int row = 0; row == 0 || row < x.rows(); row += block) {
      columns(row, Math.min(x.rows(), row + block), from * COLUMNS, columnTo);
    }
  }

  private void rows(int from, int to) {
    kernels.norm(
        dx.address,
        dx.stride,
        dy.address,
        dy.stride,
        x.address,
        x.stride,
        weight.address,
        epsilon,
        dBias != null,
        add,
        stats.address,
        stats.stride,
        x.columns(),
        from,
        to);
  }

  private void columns(int rowFrom, int rowTo, int from, int to) {
    kernels.normWeight(
        dWeight.address,
        dBias == null ? 0 : dBias.address,
        dy.address,
        dy.stride,
        x.address,
        x.stride,
        stats.address,
        stats.stride,
        rowFrom > 0,
        rowFrom,
        rowTo,
        from,
        to);
  }
}
