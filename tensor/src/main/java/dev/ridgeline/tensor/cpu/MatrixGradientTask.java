package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The gradient of a matrix, cut into units that are blocks of it. Every number of it is a sum over
 * all rows in their order, whoever computes it.
 */
final class MatrixGradientTask implements Workers.Task {
  /** Outputs of a unit: whole tiles of any width. */
  private static final int OUTPUTS = 48;

  /** Inputs of a unit, where there are enough. */
  private static final int INPUTS = 256;

  private AttentionKernels kernels;
  private CpuTensor gradient;
  private CpuTensor dy;
  private CpuTensor x;
  private int across;

  /** As many ones as there were ever rows: the bias is given a one in each row. */
  private MemorySegment ones = MemorySegment.NULL;

  void run(CpuDevice device, Tensor dMatrix, Tensor dBiasOrNull, Tensor dOut, Tensor in) {
    kernels = device.kernels().attention();
    gradient = (CpuTensor) dMatrix;
    dy = (CpuTensor) dOut;
    x = (CpuTensor) in;
    try {
      Workers workers = device.workers();
      if (workers.count() == 1) {
        block(0, gradient.rows(), 0, gradient.columns());
      } else {
        across = (gradient.columns() + INPUTS - 1) / INPUTS;
        int units = across * ((gradient.rows() + OUTPUTS - 1) / OUTPUTS);
        workers.run(this, units, 2L * OUTPUTS * Math.min(INPUTS, x.columns()) * x.rows());
      }
      if (dBiasOrNull != null) bias((CpuTensor) dBiasOrNull);
    } finally {
      gradient = null;
      dy = null;
      x = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from; unit < to; unit++) {
      int output = unit / across * OUTPUTS;
      int input = unit % across * INPUTS;
      block(
          output,
          Math.min(gradient.rows(), output + OUTPUTS),
          input,
          Math.min(gradient.columns(), input + INPUTS));
    }
  }

  private void block(int outputFrom, int outputTo, int inputFrom, int inputTo) {
    kernels.across(
        dy.address + 4L * outputFrom,
        dy.stride,
        outputTo - outputFrom,
        x.address + 4L * inputFrom,
        x.stride,
        x.rows(),
        inputTo - inputFrom,
        gradient.row(outputFrom) + 4L * inputFrom,
        gradient.stride,
        false);
  }

  private void bias(CpuTensor dBias) {
    kernels.across(
        ones(dy.rows()),
        1,
        1,
        dy.address,
        dy.stride,
        dy.rows(),
        dy.columns(),
        dBias.address,
        dBias.columns(),
        false);
  }

  private long ones(int rows) {
    if (ones.byteSize() < 4L * rows) {
      ones = Arena.ofAuto().allocate(4L * rows, Memory.ALIGNMENT);
      for (int i = 0; i < rows; i++) ones.setAtIndex(ValueLayout.JAVA_FLOAT, i, 1);
    }
    return ones.address();
  }

  @Override
  public boolean isTheWork() {
    return true;
  }
}
