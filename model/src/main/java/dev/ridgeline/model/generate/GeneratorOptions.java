package dev.ridgeline.model.generate;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.TensorType;

/**
 * How a {@link Generator} works.
 *
 * @param device what computes
 * @param context tokens of a sequence at most, prompt included; 0 for what the model was trained
 *     for, but no more than {@value #USUAL_CONTEXT}
 * @param sequences that are worked on together at most
 * @param batch tokens of prompts that go through the model together
 * @param cache the type of the cache's numbers, f16 or f32
 */
public record GeneratorOptions(
    DeviceChoice device, int context, int sequences, int batch, TensorType cache) {

  static final int USUAL_CONTEXT = 4096;

  public static final GeneratorOptions DEFAULT =
      new GeneratorOptions(DeviceChoice.DEFAULT, 0, 1, 256, TensorType.F16);

  public GeneratorOptions {
    int workers = device.workers();
    if (workers < 0) throw new ModelException("workers " + workers + ": at least 1");
    if (context < 0) throw new ModelException("context " + context + ": at least 1");
    if (sequences < 1) throw new ModelException("sequences " + sequences + ": at least 1");
    if (batch < 1) throw new ModelException("batch " + batch + ": at least 1");
    if (cache != TensorType.F16 && cache != TensorType.F32) {
      throw new ModelException("a cache of %s: f16 or f32".formatted(cache.word()));
    }
  }

  public GeneratorOptions withDevice(DeviceChoice next) {
    return new GeneratorOptions(next, context, sequences, batch, cache);
  }

  public GeneratorOptions withWorkers(int next) {
    return withDevice(device.withWorkers(next));
  }

  public GeneratorOptions withContext(int next) {
    return new GeneratorOptions(device, next, sequences, batch, cache);
  }

  public GeneratorOptions withSequences(int next) {
    return new GeneratorOptions(device, context, next, batch, cache);
  }

  public GeneratorOptions withBatch(int next) {
    return new GeneratorOptions(device, context, sequences, next, cache);
  }

  public GeneratorOptions withCache(TensorType next) {
    return new GeneratorOptions(device, context, sequences, batch, next);
  }

  /** With matrices that stay in the file. */
  public GeneratorOptions withoutRepacking() {
    return withDevice(device.withoutRepacking());
  }
}
