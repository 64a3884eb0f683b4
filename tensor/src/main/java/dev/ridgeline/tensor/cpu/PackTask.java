package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;

/** Packs a matrix, panel by panel. */
record PackTask(Kernels kernels, TensorType type, long rows, int outputs, int inputs, long packed)
    implements Workers.Task {
  @Override
  public void run(int worker, int from, int to) {
    kernels.pack(type, rows, outputs, inputs, packed, from, to);
  }
}
