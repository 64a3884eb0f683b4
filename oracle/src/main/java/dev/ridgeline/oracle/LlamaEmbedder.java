package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/**
 * What llama.cpp makes of the tokens of one text after the other, pooled as the file says. One
 * thread at a time.
 */
public final class LlamaEmbedder implements AutoCloseable {
  private static final int THREADS = 2;

  /** Its batch: a number and six addresses. */
  private static final MemoryLayout BATCH =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(7, JAVA_LONG));

  private final LlamaModel model;
  private final MemorySegment context;
  private final MethodHandle batch;
  private final MethodHandle encode;
  private final MethodHandle result;

  /**
   * @param most tokens of a text
   */
  public LlamaEmbedder(LlamaModel model, int most) {
    this.model = model;
    LlamaCpp llama = model.llama;
    batch = llama.function("llama_batch_get_one", FunctionDescriptor.of(BATCH, ADDRESS, JAVA_INT));
    encode = llama.function("llama_encode", FunctionDescriptor.of(JAVA_INT, ADDRESS, BATCH));
    result =
        llama.function(
            "llama_get_embeddings_seq", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    MethodHandle defaults =
        llama.function("llama_context_default_params", FunctionDescriptor.of(LlamaCpp.PARAMETERS));
    MethodHandle create =
        llama.function(
            "llama_init_from_model", FunctionDescriptor.of(ADDRESS, ADDRESS, LlamaCpp.PARAMETERS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      // A text cannot be cut where every token sees every other: the batches hold it whole.
      for (int i = 0; i < 3; i++) parameters.setAtIndex(JAVA_INT, i, most);
      parameters.setAtIndex(JAVA_INT, flashAttention(parameters), 0);
      context = (MemorySegment) create.invoke(model.address, parameters);
      if (context.address() == 0) throw new AssertionError("llama.cpp makes no context");
      llama
          .function("llama_set_embeddings", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BOOLEAN))
          .invoke(context, true);
      llama
          .function("llama_set_n_threads", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
          .invoke(context, THREADS, THREADS);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Where the choice of flash attention lies, which rounds keys and values to f16: it is the last
   * of four choices that are left open (−1) one behind the other.
   */
  private static int flashAttention(MemorySegment parameters) {
    int open = 0;
    for (int i = 3; i < 32; i++) {
      open = parameters.getAtIndex(JAVA_INT, i) == -1 ? open + 1 : 0;
      if (open == 4 && parameters.getAtIndex(JAVA_INT, i + 1) != -1) return i;
    }
    throw new AssertionError("the parameters of llama.cpp look otherwise now");
  }

  /** The vector of a text, of whatever length. */
  public float[] embed(int[] tokens) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocateFrom(JAVA_INT, tokens);
      MemorySegment one =
          (MemorySegment) batch.invoke((SegmentAllocator) arena, ids, tokens.length);
      int code = (int) encode.invoke(context, one);
      if (code != 0) throw new AssertionError("llama_encode: " + code);
      MemorySegment vector = (MemorySegment) result.invoke(context, 0);
      return vector.reinterpret(4L * model.width()).toArray(JAVA_FLOAT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      model.llama.function("llama_free", FunctionDescriptor.ofVoid(ADDRESS)).invoke(context);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
