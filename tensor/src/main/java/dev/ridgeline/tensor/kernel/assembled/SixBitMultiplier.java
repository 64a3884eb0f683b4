package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import java.lang.foreign.Arena;

/**
 * Multiplies a single row with weights of Q6_K, which the last matrix of most decoders is; many
 * rows are the vector kernels', whose matrices these are.
 */
final class SixBitMultiplier implements Multiplier {
  /** Weights in a call: a tenth of a millisecond at most, and safepoints wait. */
  private static final int CALL = 1 << 19;

  private static final long LINE = 4L * PANEL;

  /** What is added where there is no bias. */
  private static final long ZEROS = Arena.global().allocate(LINE, Memory.ALIGNMENT).address();

  private final Kernels vectors;
  private final Function row = Code.function("q6_k-row-avx512-1x" + PANEL, new SixBitRow());

  SixBitMultiplier(Kernels vectors) {
    this.vectors = vectors;
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return vectors.packedBytes(TensorType.Q6_K, outputs, inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    return vectors.pack(TensorType.Q6_K, rows, outputs, inputs, packed, panelFrom, panelTo);
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    if (rowTo - rowFrom != 1) {
      vectors.matmul(of, rowFrom, rowTo, panelFrom, panelTo, epoch);
      return;
    }
    long blocks = of.inputs / TensorType.Q6_K.blockSize();
    long panelBytes = TensorType.Q6_K.bytes((long) PANEL * of.inputs);
    long x = of.x + 4L * of.xStride * rowFrom;
    long out = of.out + 4L * of.outStride * rowFrom;
    int most = (int) Math.max(1, CALL / ((long) PANEL * of.inputs));
    for (int panel = panelFrom; panel < panelTo; panel += most) {
      int panels = Math.min(most, panelTo - panel);
      int last = Math.min(PANEL, of.outputs - (panel + panels - 1) * PANEL);
      row.call(
          of.packed + panel * panelBytes,
          x,
          out + LINE * panel,
          panels,
          blocks,
          of.bias == 0 ? ZEROS : of.bias + LINE * panel,
          of.bias == 0 ? 0 : LINE,
          last);
    }
  }
}
