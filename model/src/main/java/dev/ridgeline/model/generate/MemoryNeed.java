package dev.ridgeline.model.generate;

import dev.ridgeline.model.KvCache;
import dev.ridgeline.model.ModelException;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;

/**
 * What one text of a model takes to generate, by the sizes in its file alone.
 *
 * @param context tokens that the cache is for
 * @param cache bytes of keys and values at that context
 * @param workspace bytes of activations and scores, but for small change
 */
public record MemoryNeed(int context, long cache, long workspace) {
  /** With the usual options; null for a file that does not generate. */
  public static MemoryNeed of(Gguf file) {
    try {
      String word = file.metadata().string("general.architecture", "");
      DecoderFamily family = DecoderFamily.of(word);
      if (family != null) return of(DecoderShape.of(family, file));
      return word.equals("gpt2") ? of(Gpt2Shape.of(file)) : null;
    } catch (ModelException | GgufException | ArithmeticException _) {
      return null; // whoever opens it will be told
    }
  }

  private static MemoryNeed of(DecoderShape shape) {
    if (shape.pooling() != null) return null;
    long keys = (long) shape.kvHeads() * shape.headWidth();
    long queries = (long) shape.heads() * shape.headWidth();
    return of(
        shape.context(),
        new KvCache.Shape(shape.layers(), shape.kvHeads(), shape.headWidth(), shape.headWidth()),
        2 * (shape.width() + queries + keys + shape.hidden()),
        shape.vocabulary());
  }

  private static MemoryNeed of(Gpt2Shape shape) {
    int width = shape.headWidth();
    return of(
        shape.context(),
        new KvCache.Shape(shape.layers(), shape.heads(), width, width),
        6L * shape.width() + shape.hidden(),
        shape.vocabulary());
  }

  private static MemoryNeed of(int longest, KvCache.Shape shape, long numbers, long vocabulary) {
    GeneratorOptions usual = GeneratorOptions.DEFAULT;
    int context = Math.min(longest, GeneratorOptions.USUAL_CONTEXT);
    long rows = Math.min(usual.batch(), context);
    return new MemoryNeed(
        context,
        KvCache.pagesFor(context) * shape.pageBytes(usual.cache()),
        Float.BYTES * (rows * numbers + vocabulary));
  }
}
