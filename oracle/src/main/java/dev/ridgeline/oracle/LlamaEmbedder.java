package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What llama.cpp makes of the tokens of one text after the other, pooled as the file says. One
 * thread at a time.
 */
public final class LlamaEmbedder implements AutoCloseable {
  private final LlamaContext context;
  private final MethodHandle result;

  /**
   * @param most tokens of a text
   */
  public LlamaEmbedder(LlamaModel model, int most) {
    context = new LlamaContext(model, most, true);
    result =
        model.llama.function(
            "llama_get_embeddings_seq", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  }

  /** The vector of a text, of whatever length. */
  public float[] embed(int[] tokens) {
    context.clear();
    context.decode(tokens);
    try {
      MemorySegment vector = (MemorySegment) result.invoke(context.address, 0);
      return vector.reinterpret(4L * context.model.width()).toArray(JAVA_FLOAT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
