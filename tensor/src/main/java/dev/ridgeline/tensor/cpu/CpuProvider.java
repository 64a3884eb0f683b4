package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Ablation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceProvider;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.Map;

/** Opens the processor. */
public final class CpuProvider implements DeviceProvider {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Device open(int workers, boolean repack) {
    return plan(workers, repack, null);
  }

  /** With another family than this process has chosen: to compare them. */
  public static Device open(Kernels kernels, int workers) {
    return new CpuDevice(kernels, Workers.of(workers), null);
  }

  @Override
  public Device plan(int workers, boolean repack, Map<String, Long> account) {
    Ablation.check();
    Kernels kernels = KernelChoice.made().kernels();
    return new CpuDevice(kernels, Workers.of(workers), account, Tiling.here(), repack);
  }
}
