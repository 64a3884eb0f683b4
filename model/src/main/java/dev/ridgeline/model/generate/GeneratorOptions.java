package dev.ridgeline.model.generate;

import dev.ridgeline.model.ModelException;
import dev.ridgeline.tensor.TensorType;

/**
 * How a {@link Generator} works.
 *
 * @param workers threads that compute, 0 for one per core
 * @param context tokens of a sequence at most, prompt included; 0 for what the model was trained
 *     for, but no more than {@value #USUAL_CONTEXT}
 * @param sequences that are worked on together at most
 * @param batch tokens of prompts that go through the model together
 * @param cache the type of the cache's numbers, f16 or f32
 * @param repack whether matrices are copied into the layout of the kernels; else they stay in the
 *     file, which takes less memory and far more time, and changes no result
 */
public record GeneratorOptions(
    int workers, int context, int sequences, int batch, TensorType cache, boolean repack) {

  static final int USUAL_CONTEXT = 4096;

  public static final GeneratorOptions DEFAULT =
      new GeneratorOptions(0, 0, 1, 256, TensorType.F16, true);

  public GeneratorOptions {
    if (workers < 0) throw new ModelException("workers " + workers + ": at least 1");
    if (context < 0) throw new ModelException("context " + context + ": at least 1");
    if (sequences < 1) throw new ModelException("sequences " + sequences + ": at least 1");
    if (batch < 1) throw new ModelException("batch " + batch + ": at least 1");
    if (cache != TensorType.F16 && cache != TensorType.F32) {
      throw new ModelException("a cache of %s: f16 or f32".formatted(cache.word()));
    }
  }

  public GeneratorOptions withWorkers(int next) {
    return new GeneratorOptions(next, context, sequences, batch, cache, repack);
  }

  public GeneratorOptions withContext(int next) {
    return new GeneratorOptions(workers, next, sequences, batch, cache, repack);
  }

  public GeneratorOptions withSequences(int next) {
    return new GeneratorOptions(workers, context, next, batch, cache, repack);
  }

  public GeneratorOptions withBatch(int next) {
    return new GeneratorOptions(workers, context, sequences, next, cache, repack);
  }

  public GeneratorOptions withCache(TensorType next) {
    return new GeneratorOptions(workers, context, sequences, batch, next, repack);
  }

  /** With matrices that stay in the file. */
  public GeneratorOptions withoutRepacking() {
    return new GeneratorOptions(workers, context, sequences, batch, cache, false);
  }
}
