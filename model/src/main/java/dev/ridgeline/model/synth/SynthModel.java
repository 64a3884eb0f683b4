package dev.ridgeline.model.synth;

import dev.ridgeline.model.imports.Draft;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A model of a real shape with random weights; the same bytes for shape, type and seed. */
public final class SynthModel {
  /** The seed where none is given. */
  public static final long SEED = 1;

  private SynthModel() {}

  /**
   * Writes one as GGUF, whole or not at all.
   *
   * @param progress is told each tensor as it begins
   */
  public static void write(
      SynthShape shape, TensorType type, long seed, Path out, Consumer<String> progress) {
    String name = "synth:%s:%s".formatted(shape.word(), type.word());
    Draft draft = new Draft(shape.architecture(), name, shape.vocabulary());
    draft.put("ridgeline.synth.seed", seed);
    for (Slot slot : shape.architecture().slots()) draft.add(slot, RandomNumbers.of(slot, seed));
    draft.write(out, type, progress);
  }
}
