/** GGUF files, quantized types, operations, kernels and worker threads. */
module dev.ridgeline.tensor {
  requires transitive dev.ridgeline.profiler;
  requires jdk.management;
  // Where it is missing assembled kernels run; to have it always would warn at each start.
  requires static jdk.incubator.vector;

  exports dev.ridgeline.tensor;
  exports dev.ridgeline.tensor.gguf;
  exports dev.ridgeline.tensor.grad;
  exports dev.ridgeline.tensor.kernel.assembled;
  exports dev.ridgeline.tensor.cpu;
  exports dev.ridgeline.tensor.quant;
  exports dev.ridgeline.tensor.tune;

  uses dev.ridgeline.tensor.DeviceProvider;

  provides dev.ridgeline.tensor.DeviceProvider with
      dev.ridgeline.tensor.cpu.CpuProvider;
}
