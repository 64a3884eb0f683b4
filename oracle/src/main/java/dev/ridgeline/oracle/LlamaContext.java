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
import java.util.List;

/** A context of llama.cpp. One thread at a time. */
final class LlamaContext implements AutoCloseable {
  private static final int F32 = 0;
  private static final int F16 = 1;

  /** Its batch: a number and six addresses. */
  private static final MemoryLayout BATCH =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(7, JAVA_LONG));

  // Which of them is what.
  private static final int TOKENS = 1;
  private static final int POSITIONS = 3;
  private static final int TEXT_COUNTS = 4;
  private static final int TEXTS = 5;

  /** Whose results are wanted, a byte each. */
  private static final int WANTED = 6;

  final LlamaModel model;
  final MemorySegment address;
  private final MethodHandle batch;
  private final MethodHandle decode;
  private final MethodHandle memory;
  private final MethodHandle clear;
  private final MethodHandle synchronize;
  private final LlamaThreads threads;

  /**
   * @param embeds whether vectors are wanted, and not tokens
   */
  LlamaContext(LlamaModel model, LlamaOptions options, boolean embeds) {
    this.model = model;
    LlamaCpp llama = model.llama;
    batch = llama.function("llama_batch_get_one", FunctionDescriptor.of(BATCH, ADDRESS, JAVA_INT));
    decode = llama.function("llama_decode", FunctionDescriptor.of(JAVA_INT, ADDRESS, BATCH));
    memory = llama.function("llama_get_memory", FunctionDescriptor.of(ADDRESS, ADDRESS));
    clear = llama.function("llama_memory_clear", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BOOLEAN));
    synchronize = llama.function("llama_synchronize", FunctionDescriptor.ofVoid(ADDRESS));
    MethodHandle defaults =
        llama.function("llama_context_default_params", FunctionDescriptor.of(LlamaCpp.PARAMETERS));
    MethodHandle create =
        llama.function(
            "llama_init_from_model", FunctionDescriptor.of(ADDRESS, ADDRESS, LlamaCpp.PARAMETERS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      int[] sizes = {options.context(), options.batch(), options.batch(), options.texts()};
      for (int i = 0; i < sizes.length; i++) parameters.setAtIndex(JAVA_INT, i, sizes[i]);
      int flash = flashAttention(parameters);
      parameters.setAtIndex(JAVA_INT, flash, options.flash() ? 1 : 0);
      int types = cacheTypes(parameters, flash);
      int type = options.exact() ? F32 : F16;
      for (int i = 0; i < 2; i++) parameters.setAtIndex(JAVA_INT, types + i, type);
      address = (MemorySegment) create.invoke(model.address, parameters);
      if (address.address() == 0) throw new AssertionError("llama.cpp makes no context");
      llama
          .function("llama_set_embeddings", FunctionDescriptor.ofVoid(ADDRESS, JAVA_BOOLEAN))
          .invoke(address, embeds);
      llama
          .function("llama_set_n_threads", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
          .invoke(address, options.threads(), options.threads());
      boolean stay = options.threads() > 1 && !options.exact();
      threads = stay ? new LlamaThreads(llama, options.threads()) : null;
      if (threads != null) threads.attach(address);
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

  /**
   * Goes on with these tokens.
   *
   * @param all whether the results of all are wanted, and not only those of the last
   */
  void decode(int[] tokens, boolean all) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocateFrom(JAVA_INT, tokens);
      MemorySegment one =
          (MemorySegment) batch.invoke((SegmentAllocator) arena, ids, tokens.length);
      if (all) one.setAtIndex(ADDRESS, WANTED, arena.allocate(tokens.length).fill((byte) 1));
      decode(one);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Reads texts that know nothing of each other, numbered from 0. */
  void decode(List<int[]> texts) {
    int count = texts.stream().mapToInt(text -> text.length).sum();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocate(JAVA_INT, count);
      MemorySegment positions = arena.allocate(JAVA_INT, count);
      MemorySegment counts = arena.allocate(JAVA_INT, count);
      MemorySegment owners = arena.allocate(ADDRESS, count);
      int at = 0;
      for (int text = 0; text < texts.size(); text++) {
        MemorySegment owner = arena.allocateFrom(JAVA_INT, text);
        for (int i = 0; i < texts.get(text).length; i++, at++) {
          ids.setAtIndex(JAVA_INT, at, texts.get(text)[i]);
          positions.setAtIndex(JAVA_INT, at, i);
          counts.setAtIndex(JAVA_INT, at, 1);
          owners.setAtIndex(ADDRESS, at, owner);
        }
      }
      MemorySegment many = arena.allocate(BATCH);
      many.set(JAVA_INT, 0, count);
      many.setAtIndex(ADDRESS, TOKENS, ids);
      many.setAtIndex(ADDRESS, POSITIONS, positions);
      many.setAtIndex(ADDRESS, TEXT_COUNTS, counts);
      many.setAtIndex(ADDRESS, TEXTS, owners);
      many.setAtIndex(ADDRESS, WANTED, arena.allocate(count).fill((byte) 1));
      decode(many);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private void decode(MemorySegment tokens) throws Throwable {
    int code = (int) decode.invoke(address, tokens);
    if (code != 0) throw new AssertionError("llama_decode: " + code);
    synchronize.invoke(address);
  }

  /** Forgets what it has read. */
  void clear() {
    try {
      MemorySegment cache = (MemorySegment) memory.invoke(address);
      if (cache.address() != 0) clear.invoke(cache, false);
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
    if (threads != null) threads.close();
  }
}
