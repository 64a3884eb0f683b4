/** GGUF files, quantized types, operations, kernels and worker threads. */
module dev.ridgeline.tensor {
  requires transitive dev.ridgeline.profiler;
  requires jdk.incubator.vector;

  exports dev.ridgeline.tensor;
}
