package dev.ridgeline.tensor.kernel.vector;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.RowKernels;

/** Every operation in the Vector API: see the package for the rules. */
public final class VectorKernels implements Kernels {
  private static final RowKernels ROWS = new VectorRows();
  private static final AttentionKernels ATTENTION = new VectorAttention();
  private static final GradKernels GRAD = new VectorGradKernels();

  /** Numbers of f32 in a vector. */
  public static int lanes() {
    return Lanes.COUNT;
  }

  @Override
  public String description() {
    return "vector, %d lanes of f32 (%d-bit)".formatted(Lanes.COUNT, 32 * Lanes.COUNT);
  }

  @Override
  public RowKernels rows() {
    return ROWS;
  }

  @Override
  public AttentionKernels attention() {
    return ATTENTION;
  }

  @Override
  public GradKernels grad() {
    return GRAD;
  }

  @Override
  public long packedBytes(TensorType type, int outputs, int inputs) {
    return Packing.bytes(type, outputs, inputs);
  }

  @Override
  public boolean pack(
      TensorType type,
      long rows,
      int outputs,
      int inputs,
      long packed,
      int panelFrom,
      int panelTo) {
    Packing.pack(type, rows, outputs, inputs, packed, panelFrom, panelTo);
    return true;
  }

  @Override
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    for (int panel = panelFrom; panel < panelTo; panel++) {
      long from = rows + 4L * PANEL * panel;
      long to = packed + 4L * PANEL * count * panel;
      int numbers = Math.min(PANEL, columns - panel * PANEL);
      for (int row = 0; row < count; row++) {
        Lanes.copy(from + 4L * columns * row, to + 4L * PANEL * row, numbers);
      }
    }
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    Scratch scratch = Scratch.own();
    Product.multiply(
        scratch,
        scratch.matrix.of(product.type, product.packed, product.outputs, product.inputs),
        product.x,
        product.xStride,
        rowFrom,
        rowTo,
        panelFrom,
        panelTo,
        product.bias,
        product.out,
        product.outStride);
  }
}
