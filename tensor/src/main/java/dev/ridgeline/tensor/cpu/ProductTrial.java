package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One product again and again, as models compute it but in tiles of any size, to see which is
 * fastest. All of them read the same packed weights. For one thread.
 */
public final class ProductTrial implements AutoCloseable {
  private final CpuDevice device;
  private final CpuTensor matrix;
  private final CpuTensor x;
  private final CpuTensor out;
  private final MatmulTask task = new MatmulTask();
  private final Map<Tiling, CpuDevice> arms = new HashMap<>();

  /** Of some weights with so many rows, by the kernels of this process. */
  public ProductTrial(GgufTensor weights, int rows, int workers) {
    Kernels kernels = KernelChoice.made().kernels();
    device = new CpuDevice(kernels, Workers.of(workers), null);
    matrix = (CpuTensor) device.weights(weights, Layout.MATRIX);
    x = (CpuTensor) device.allocate("trial", TensorType.F32, rows, matrix.columns());
    out = (CpuTensor) device.allocate("trial", TensorType.F32, rows, matrix.rows());
    var random = new SplittableRandom(rows);
    float[] numbers = new float[Math.multiplyExact(rows, matrix.columns())];
    for (int i = 0; i < numbers.length; i++) numbers[i] = (float) random.nextDouble(-1, 1);
    device.write(x, numbers, 0);
  }

  /** What products with weights of a type depend on in this process. */
  public static Set<Tunable> tunables(TensorType type) {
    Set<Tunable> all = EnumSet.of(Tunable.BAND);
    if (KernelChoice.made().kernels() instanceof AssembledKernels assembled) {
      all.addAll(Tunable.of(type, assembled));
    }
    return all;
  }

  /** One product. */
  public void run(Tiling tiling) {
    CpuDevice arm = arms.get(tiling);
    if (arm == null) {
      Kernels kernels = device.kernels();
      if (kernels instanceof AssembledKernels assembled) kernels = assembled.trial(tiling);
      arm = new CpuDevice(kernels, device.workers(), null, tiling, true);
      arms.put(tiling, arm);
    }
    task.run(arm, out, x, matrix, null);
  }

  /** A number that differs where the last result does. */
  public int digest() {
    float[] numbers = new float[out.columns()];
    int digest = 0;
    for (int row = 0; row < out.rows(); row++) {
      device.read(out, row, numbers, 0);
      digest = 31 * digest + Arrays.hashCode(numbers);
    }
    return digest;
  }

  @Override
  public void close() {
    for (Tensor each : new Tensor[] {matrix, x, out}) each.close();
  }
}
