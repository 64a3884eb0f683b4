package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Arrays;

/**
 * Products of the same rows, cut into bands of rows where there are many, else into panels of
 * outputs. A band reads and decodes every weight, so it must be long enough for that not to matter;
 * a panel reads every row.
 */
final class MatmulTask implements Workers.Task {
  /** So many bands load the workers evenly. */
  private static final int BANDS_PER_WORKER = 4;

  private Kernels kernels;
  private CpuTensor x;

  /** Rows for which kernels decode a panel of weights once. */
  private int band;

  private boolean byRows;
  private int count;
  private Multiplication[] products = new Multiplication[0];

  /** Where the panels of each product end, those before it counted. */
  private int[] ends = new int[0];

  /** Whether the weights of each lie as in their file. */
  private boolean[] stored = new boolean[0];

  private long bytes;
  private long operations;

  void run(
      CpuDevice device, CpuTensor result, CpuTensor operand, CpuTensor matrix, CpuTensor biases) {
    begin(device, operand);
    add(result, matrix, biases);
    run(device);
  }

  void run(CpuDevice device, CpuTensor operand, Projection[] all) {
    begin(device, operand);
    for (Projection each : all) {
      add((CpuTensor) each.out(), (CpuTensor) each.matrix(), (CpuTensor) each.biasOrNull());
    }
    run(device);
  }

  private void begin(CpuDevice device, CpuTensor operand) {
    kernels = device.kernels();
    x = operand;
    count = 0;
    bytes = 4L * x.rows() * x.columns();
    operations = 0;
  }

  private void add(CpuTensor out, CpuTensor matrix, CpuTensor biases) {
    if (count == products.length) grow();
    int outputs = matrix.rows();
    int inputs = matrix.columns();
    products[count]
        .matrix(matrix.layout(), matrix.type(), matrix.address, outputs, inputs)
        .rows(x.address, x.stride)
        .to(biases == null ? 0 : biases.address, out.address, out.stride);
    ends[count] = panels() + panels(outputs);
    stored[count++] = matrix.stored();
    bytes += matrix.type().bytes((long) inputs * outputs) + 4L * x.rows() * outputs;
    operations += 2L * inputs * outputs * x.rows();
  }

  private void grow() {
    products = Arrays.copyOf(products, count + 1);
    products[count] = new Multiplication();
    ends = Arrays.copyOf(ends, count + 1);
    stored = Arrays.copyOf(stored, count + 1);
  }

  /** Of all products so far. */
  private int panels() {
    return count == 0 ? 0 : ends[count - 1];
  }

  private static int panels(int outputs) {
    return (outputs + Kernels.PANEL - 1) / Kernels.PANEL;
  }

  private void run(CpuDevice device) {
    Workers workers = device.workers();
    band = device.tiling().get(Tunable.BAND);
    int bands = (x.rows() + band - 1) / band;
    byRows = bands >= BANDS_PER_WORKER * workers.count() || bands > panels();
    for (int i = 0; i < count; i++) byRows &= !stored[i];
    int units = byRows ? bands : panels();
    try {
      workers.run(this, units, units == 0 ? 0 : operations / units);
    } finally {
      x = null;
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long flops() {
    return operations;
  }

  @Override
  public boolean integer() {
    return kernels.integer(products[0].type);
  }

  @Override
  public void run(int worker, int from, int to) {
    int rowFrom = byRows ? from * band : 0;
    int rowTo = byRows ? Math.min(x.rows(), to * band) : x.rows();
    boolean again = false;
    for (int i = 0; i < count; i++) {
      int first = i == 0 ? 0 : ends[i - 1];
      int panelFrom = byRows ? 0 : Math.max(0, from - first);
      int panelTo = Math.min(ends[i], byRows ? ends[i] : to) - first;
      if (panelFrom >= panelTo) continue;
      if (stored[i]) asStored(products[i], panelFrom, panelTo, again);
      else kernels.matmul(products[i], rowFrom, rowTo, panelFrom, panelTo, again);
      again = kernels.integer(products[i].type);
    }
  }

  /** Packs panels for this one product, each as a matrix of its own: so it has the same bits. */
  private void asStored(Multiplication product, int panelFrom, int panelTo, boolean before) {
    OnePanel panel = OnePanel.own();
    Multiplication part = panel.product;
    boolean again = before;
    for (int i = panelFrom; i < panelTo; i++) {
      int first = i * Kernels.PANEL;
      int columns = Math.min(Kernels.PANEL, product.outputs - first);
      long at = product.packed + product.type.bytes(product.inputs) * first;
      long packedBytes = kernels.packedBytes(product.type, columns, product.inputs);
      long own = panel.room(packedBytes, columns < Kernels.PANEL);
      boolean usual = kernels.pack(product.type, at, columns, product.inputs, own, 0, 1);
      part.matrix(
              usual ? product.layout : Layout.MATRIX, product.type, own, columns, product.inputs)
          .rows(product.x, product.xStride)
          .to(
              product.bias == 0 ? 0 : product.bias + 4L * first,
              product.out + 4L * first,
              product.outStride);
      kernels.matmul(part, 0, x.rows(), 0, 1, again);
      again = kernels.integer(product.type);
    }
  }
}
