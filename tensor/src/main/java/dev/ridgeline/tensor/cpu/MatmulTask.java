package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;

/**
 * One product, cut into bands of rows where there are many, else into panels of outputs. A band
 * reads and decodes every weight, so it must be long enough for that not to matter; a panel reads
 * every row.
 */
final class MatmulTask implements Workers.Task {
  /** Rows for which kernels decode a panel of weights once. */
  private static final int BAND = 128;

  /** So many bands load the workers evenly. */
  private static final int BANDS_PER_WORKER = 4;

  private Kernels kernels;
  private TensorType type;
  private Layout layout;
  private long packed;
  private int outputs;
  private int inputs;
  private long x;
  private int xStride;
  private int rows;
  private int panels;
  private long bias;
  private long out;
  private int outStride;
  private boolean byRows;

  void run(
      CpuDevice device, CpuTensor result, CpuTensor operand, CpuTensor matrix, CpuTensor biases) {
    kernels = device.kernels();
    type = matrix.type();
    layout = matrix.layout();
    packed = matrix.address;
    outputs = matrix.rows();
    inputs = matrix.columns();
    x = operand.address;
    xStride = operand.stride;
    rows = operand.rows();
    panels = (outputs + Kernels.PANEL - 1) / Kernels.PANEL;
    bias = biases == null ? 0 : biases.address;
    out = result.address;
    outStride = result.stride;
    Workers workers = device.workers();
    int bands = (rows + BAND - 1) / BAND;
    byRows = bands >= BANDS_PER_WORKER * workers.count() || bands > panels;
    long numbers = 2L * inputs * outputs * rows;
    int units = byRows ? bands : panels;
    workers.run(this, units, units == 0 ? 0 : numbers / units);
  }

  @Override
  public long bytes() {
    return type.bytes((long) inputs * outputs) + 4L * rows * (inputs + outputs);
  }

  @Override
  public long flops() {
    return 2L * inputs * outputs * rows;
  }

  @Override
  public boolean integer() {
    return kernels.integer(type);
  }

  @Override
  public void run(int worker, int from, int to) {
    int rowFrom = byRows ? from * BAND : 0;
    int rowTo = byRows ? Math.min(rows, to * BAND) : rows;
    int panelFrom = byRows ? 0 : from;
    int panelTo = byRows ? panels : to;
    kernels.matmul(
        layout, type, packed, outputs, inputs, x, xStride, rowFrom, rowTo, panelFrom, panelTo, bias,
        out, outStride);
  }
}
