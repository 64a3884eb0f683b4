package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/**
 * A context of llama.cpp without flash attention, which rounds keys and values to f16, and with a
 * cache of f32. One thread at a time.
 */
final class LlamaContext implements AutoCloseable {
  private static final int THREADS = 2;

  /** Two that wait for each other in a loop between operations lose to any third. */
  private static final int DECODER_THREADS = 1;

  private static final int F32 = 0;
  private static final int F16 = 1;

  /** Its batch: a number and six addresses. */
  private static final MemoryLayout BATCH =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(7, JAVA_LONG));

  /** Which of them says whose results are wanted, a byte each. */
  private static final int WANTED = 6;

  final LlamaModel model;
  final MemorySegment address;
  private final MethodHandle batch;
  private final MethodHandle decode;
  private final MethodHandle memory;
  private final MethodHandle clear;

  /**
   * @param most tokens of a text
   * @param embeds whether vectors are wanted, and not tokens
   */
  LlamaContext(LlamaModel model, int most, boolean embeds) {
    this.model = model;
    LlamaCpp llama = model.llama;
    batch = llama.function("llama_batch_get_one", FunctionDescriptor.of(BATCH, ADDRESS, JAVA_INT));
    decode = llama.function("llama_decode", FunctionDescriptor.of(JAVA_INT, ADDRESS, BATCH));
    memory = llama.function("llama_get_memory", FunctionDescriptor.of(ADDRESS, ADDRESS));
    clear = llama.function("llama_memory_clear", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BOOLEAN));
    MethodHandle defaults =
        llama.function("llama_context_default_params", FunctionDescriptor.of(LlamaCpp.PARAMETERS));
    MethodHandle create =
        llama.function(
            "llama_init_from_model", FunctionDescriptor.of(ADDRESS, ADDRESS, LlamaCpp.PARAMETERS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      // A text cannot be cut where every token sees every other: the batches hold it whole.
      for (int i = 0; i < 3; i++) parameters.setAtIndex(JAVA_INT, i, most);
      int flash = flashAttention(parameters);
      parameters.setAtIndex(JAVA_INT, flash, 0);
      int types = cacheTypes(parameters, flash);
      for (int i = 0; i < 2; i++) parameters.setAtIndex(JAVA_INT, types + i, F32);
      address = (MemorySegment) create.invoke(model.address, parameters);
      if (address.address() == 0) throw new AssertionError("llama.cpp makes no context");
      llama
          .function("llama_set_embeddings", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BOOLEAN))
          .invoke(address, embeds);
      int threads = embeds ? THREADS : DECODER_THREADS;
      llama
          .function("llama_set_n_threads", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
          .invoke(address, threads, threads);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Where the choice of flash attention lies: it is the last of four choices that are left open
   * (−1) one behind the other.
   */
  private static int flashAttention(MemorySegment parameters) {
    int open = 0;
    for (int i = 3; i < 32; i++) {
      open = parameters.getAtIndex(JAVA_INT, i) == -1 ? open + 1 : 0;
      if (open == 4 && parameters.getAtIndex(JAVA_INT, i + 1) != -1) return i;
    }
    throw new AssertionError("the parameters of llama.cpp look otherwise now");
  }

  /** Where the types of keys and values lie: the first two f16 in a row behind that. */
  private static int cacheTypes(MemorySegment parameters, int flash) {
    for (int i = flash + 1; i < 40; i++) {
      if (parameters.getAtIndex(JAVA_INT, i) == F16
          && parameters.getAtIndex(JAVA_INT, i + 1) == F16) {
        return i;
      }
    }
    throw new AssertionError("the parameters of llama.cpp look otherwise now");
  }

  /** Goes on with these tokens, and wants the results of all. */
  void decode(int[] tokens) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocateFrom(JAVA_INT, tokens);
      MemorySegment one =
          (MemorySegment) batch.invoke((SegmentAllocator) arena, ids, tokens.length);
      MemorySegment wanted = arena.allocate(tokens.length).fill((byte) 1);
      one.setAtIndex(ADDRESS, WANTED, wanted);
      int code = (int) decode.invoke(address, one);
      if (code != 0) throw new AssertionError("llama_decode: " + code);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Forgets what it has read. */
  void clear() {
    try {
      MemorySegment cache = (MemorySegment) memory.invoke(address);
      if (cache.address() != 0) clear.invoke(cache, true);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      model.llama.function("llama_free", FunctionDescriptor.ofVoid(ADDRESS)).invoke(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
