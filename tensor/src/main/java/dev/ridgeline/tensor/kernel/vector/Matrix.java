package dev.ridgeline.tensor.kernel.vector;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;

/** A packed matrix of any type. */
final class Matrix implements Weights {
  private final long line;
  private TensorType type;
  private long packed;
  private int outputs;
  private int inputs;
  private long panelBytes;

  /**
   * @param line twelve lines of f32 for decoding
   */
  Matrix(long line) {
    this.line = line;
  }

  Matrix of(TensorType type, long packed, int outputs, int inputs) {
    this.type = type;
    this.packed = packed;
    this.outputs = outputs;
    this.inputs = inputs;
    this.panelBytes = Packing.panelBytes(type, inputs);
    return this;
  }

  TensorType type() {
    return type;
  }

  /** Where a panel begins, packed. */
  long packed(int panel) {
    return packed + panel * panelBytes;
  }

  @Override
  public int outputs() {
    return outputs;
  }

  @Override
  public int inputs() {
    return inputs;
  }

  @Override
  public long panel(int panel, int from, int depth, long scratch) {
    long start = packed(panel);
    if (type == TensorType.F32) return start + 4L * Kernels.PANEL * from;
    Decoding.panel(type, start, from, depth, line, scratch);
    return scratch;
  }

  @Override
  public int stride(int panel) {
    return 4 * Kernels.PANEL;
  }
}
