package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.tune.Tunable;

/**
 * One product, cut into bands of rows where there are many, else into panels of outputs. A band
 * reads and decodes every weight, so it must be long enough for that not to matter; a panel reads
 * every row.
 */
final class MatmulTask implements Workers.Task {
  /** So many bands load the workers evenly. */
  private static final int BANDS_PER_WORKER = 4;

  private Kernels kernels;

  /** Rows for which kernels decode a panel of weights once. */
  private int band;

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

  /** Whether weights lie as in their file. */
  private boolean stored;

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
    stored = matrix.stored();
    band = device.tiling().get(Tunable.BAND);
    int bands = (rows + band - 1) / band;
    byRows = !stored && (bands >= BANDS_PER_WORKER * workers.count() || bands > panels);
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
    if (stored) {
      for (int panel = from; panel < to; panel++) panelAsStored(panel);
      return;
    }
    int rowFrom = byRows ? from * band : 0;
    int rowTo = byRows ? Math.min(rows, to * band) : rows;
    int panelFrom = byRows ? 0 : from;
    int panelTo = byRows ? panels : to;
    kernels.matmul(
        layout, type, packed, outputs, inputs, x, xStride, rowFrom, rowTo, panelFrom, panelTo, bias,
        out, outStride);
  }

  /** Packs a panel for this one product, as a matrix of its own: so it has the same bits. */
  private void panelAsStored(int panel) {
    int first = panel * Kernels.PANEL;
    int columns = Math.min(Kernels.PANEL, outputs - first);
    long at = packed + type.bytes(inputs) * first;
    long own = OnePanel.room(kernels.packedBytes(type, columns, inputs), columns < Kernels.PANEL);
    kernels.pack(type, at, columns, inputs, own, 0, 1);
    long begin = bias == 0 ? 0 : bias + 4L * first;
    kernels.matmul(
        layout,
        type,
        own,
        columns,
        inputs,
        x,
        xStride,
        0,
        rows,
        0,
        1,
        begin,
        out + 4L * first,
        outStride);
  }
}
