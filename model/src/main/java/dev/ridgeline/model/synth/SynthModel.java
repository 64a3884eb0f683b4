package dev.ridgeline.model.synth;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.draft.Numbers;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A model of a real shape with random weights; the same bytes for shape, type and seed. */
public final class SynthModel {
  /** The seed where none is given. */
  public static final long SEED = 1;

  /** How often the context that Llama 3.2 was first trained with fits into the one it has. */
  private static final int STRETCHED = 16;

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
    for (Slot slot : shape.architecture().slots()) {
      draft.add(slot, numbers(shape.architecture(), slot, seed));
    }
    draft.write(out, type, progress);
  }

  private static Numbers numbers(Shape shape, Slot slot, long seed) {
    if (slot.kind() != Slot.Kind.FACTORS || !(shape instanceof DecoderShape decoder)) {
      return RandomNumbers.of(slot, seed);
    }
    int original = decoder.context() / STRETCHED;
    Rope rope = decoder.rope();
    float[] factors = Rope.llama3Factors(rope.width(), rope.base(), 32, 1, 4, original);
    return (_, _, to) ->
        MemorySegment.copy(factors, 0, to, JAVA_FLOAT_UNALIGNED, 0, factors.length);
  }
}
