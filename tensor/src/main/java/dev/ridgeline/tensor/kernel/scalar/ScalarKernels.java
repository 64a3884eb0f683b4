package dev.ridgeline.tensor.kernel.scalar;

import static dev.ridgeline.tensor.kernel.scalar.Numbers.at;
import static dev.ridgeline.tensor.kernel.scalar.Numbers.put;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.Room;
import dev.ridgeline.tensor.kernel.RowKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.MemorySegment;

/**
 * Every operation as its formula has it, one number after the other, with sums in double.
 *
 * <p>A matrix is packed as the file has it, of whatever type, and a row of it is decoded when its
 * output is computed: it takes no more memory than the file and needs no code per type.
 */
public final class ScalarKernels implements Kernels {
  private static final MemorySegment ALL = Memory.ALL;
  private static final RowKernels ROWS = new ScalarRows();
  private static final AttentionKernels ATTENTION = new ScalarAttention();
  private static final GradKernels GRAD = new ScalarGradKernels();

  /** A decoded row of a matrix. */
  private static final ThreadLocal<Room> ROW = ThreadLocal.withInitial(Room::new);

  @Override
  public String description() {
    return "scalar";
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

  // Matrices.

  @Override
  public long packedBytes(TensorType type, int outputs, int inputs) {
    return Math.multiplyExact(type.bytes(inputs), (long) outputs);
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
    long bytes = type.bytes(inputs);
    long from = bytes * panelFrom * PANEL;
    long to = bytes * Math.min((long) panelTo * PANEL, outputs);
    MemorySegment.copy(ALL, rows + from, ALL, packed + from, to - from);
    return true;
  }

  @Override
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    int last = (int) Math.min((long) panelTo * PANEL, columns);
    for (int c = panelFrom * PANEL; c < last; c++) {
      for (int r = 0; r < count; r++)
        put(packed + 4L * count * c, r, at(rows + 4L * columns * r, c));
    }
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    TensorType type = product.type;
    int inputs = product.inputs;
    long bytes = type.bytes(inputs);
    long decoded = type == TensorType.F32 ? 0 : ROW.get().of(4L * inputs);
    int last = (int) Math.min((long) panelTo * PANEL, product.outputs);
    for (int o = panelFrom * PANEL; o < last; o++) {
      long weights = product.packed + bytes * o;
      if (type != TensorType.F32) {
        Quantizer.dequantize(type, weights, inputs, decoded);
        weights = decoded;
      }
      double start = product.bias == 0 ? 0 : at(product.bias, o);
      for (int r = rowFrom; r < rowTo; r++) {
        long row = product.x + 4L * product.xStride * r;
        double sum = start;
        for (int i = 0; i < inputs; i++) sum += (double) at(row, i) * at(weights, i);
        put(product.out + 4L * product.outStride * r, o, sum);
      }
    }
  }
}
