package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.KernelChoice;
import dev.ridgeline.tensor.kernel.Kernels;
import java.util.Map;

/** Opens the processor. */
public final class CpuProvider implements DeviceProvider {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Device open(int workers) {
    return open(KernelChoice.made().kernels(), workers);
  }

  /** With another family than this process has chosen: to compare them. */
  public static Device open(Kernels kernels, int workers) {
    return new CpuDevice(kernels, Workers.of(workers), null);
  }

  @Override
  public Device plan(int workers, Map<String, Long> account) {
    return new CpuDevice(KernelChoice.made().kernels(), Workers.of(workers), account);
  }
}
