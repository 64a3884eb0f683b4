package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** What llama.cpp makes of the tokens of texts, pooled as the file says. One thread at a time. */
public final class LlamaEmbedder implements AutoCloseable {
  private static final int THREADS = 2;

  private final LlamaContext context;
  private final MethodHandle result;
  private final long bytes;

  /**
   * As exact as it can be. A text cannot be cut where every token sees every other: the batches
   * hold it whole.
   *
   * @param most tokens of a text
   */
  public LlamaEmbedder(LlamaModel model, int most) {
    this(model, LlamaOptions.exact(most, THREADS));
  }

  public LlamaEmbedder(LlamaModel model, LlamaOptions options) {
    context = new LlamaContext(model, options, true);
    bytes = 4L * model.width();
    result =
        model.llama.function(
            "llama_get_embeddings_seq", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  }

  /** The vector of a text, of whatever length. */
  public float[] embed(int[] tokens) {
    context.clear();
    context.decode(tokens, true);
    return vector(0);
  }

  /** The same for texts that go through it together. */
  public List<float[]> embed(List<int[]> texts) {
    context.clear();
    context.decode(texts);
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) vectors.add(vector(i));
    return vectors;
  }

  private float[] vector(int text) {
    try {
      MemorySegment vector = (MemorySegment) result.invoke(context.address, text);
      return vector.reinterpret(bytes).toArray(JAVA_FLOAT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
