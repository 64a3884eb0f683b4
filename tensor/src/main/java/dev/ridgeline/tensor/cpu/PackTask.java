package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;

/** Packs a matrix, panel by panel. */
final class PackTask implements Workers.Task {
  private final Kernels kernels;
  private final TensorType type;
  private final long rows;
  private final int outputs;
  private final int inputs;
  private final long packed;

  /** Set by any worker, read when all have ended. */
  private volatile boolean finite = true;

  PackTask(Kernels kernels, TensorType type, long rows, int outputs, int inputs, long packed) {
    this.kernels = kernels;
    this.type = type;
    this.rows = rows;
    this.outputs = outputs;
    this.inputs = inputs;
    this.packed = packed;
  }

  @Override
  public void run(int worker, int from, int to) {
    if (!kernels.pack(type, rows, outputs, inputs, packed, from, to)) finite = false;
  }

  /** What {@link Kernels#pack} says of all panels. */
  boolean finite() {
    return finite;
  }
}
