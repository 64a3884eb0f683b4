package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;

/** Opens the processor. */
public final class CpuProvider implements DeviceProvider {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Device open(int workers) {
    return new CpuDevice(new ScalarKernels(), Workers.of(workers));
  }
}
