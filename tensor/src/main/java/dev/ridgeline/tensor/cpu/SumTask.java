package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.GradKernels;

/**
 * The sum of all numbers of a tensor, or of their squares: of each block by itself, then of the
 * blocks in their order.
 */
final class SumTask implements Workers.Task {
  private static final int BLOCK = 4096;

  private GradKernels kernels;
  private CpuTensor x;
  private boolean squares;
  private int perRow;

  /** Of each block; grows to the most there were. */
  private double[] sums = new double[0];

  double run(CpuDevice device, CpuTensor of, boolean ofSquares) {
    kernels = device.kernels().grad();
    x = of;
    squares = ofSquares;
    perRow = (of.columns() + BLOCK - 1) / BLOCK;
    try {
      long blocks = of.dense() ? (x.numbers() + BLOCK - 1) / BLOCK : (long) perRow * of.rows();
      int units = Math.toIntExact(blocks);
      if (sums.length < units) sums = new double[units];
      device.workers().run(this, units, 8L * BLOCK);
      double sum = 0;
      for (int i = 0; i < units; i++) sum += sums[i];
      return sum;
    } finally {
      x = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from; unit < to; unit++) {
      if (x.dense()) {
        long first = (long) unit * BLOCK;
        sums[unit] = block(x.address + 4 * first, x.numbers() - first);
      } else {
        int first = unit % perRow * BLOCK;
        sums[unit] = block(x.row(unit / perRow) + 4L * first, x.columns() - first);
      }
    }
  }

  private double block(long address, long left) {
    int count = (int) Math.min(BLOCK, left);
    return squares ? kernels.sumOfSquares(address, count) : kernels.sum(address, count);
  }
}
