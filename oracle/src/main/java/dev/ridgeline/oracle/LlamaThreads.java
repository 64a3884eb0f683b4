package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Threads that stay with a context of llama.cpp, as its own programs have them: without, it starts
 * and ends threads with every batch. They go on polling for a while when there is nothing to do.
 */
final class LlamaThreads implements AutoCloseable {
  /** More than its parameters have: a byte for each of 512 cores, and some numbers. */
  private static final long PARAMETERS = 1024;

  private final LlamaCpp llama;
  private final MemorySegment address;

  LlamaThreads(LlamaCpp llama, int count) {
    this.llama = llama;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(PARAMETERS, 8);
      llama
          .function(
              "libggml-base.",
              "ggml_threadpool_params_init",
              FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT))
          .invoke(parameters, count);
      address =
          (MemorySegment)
              Linker.nativeLinker()
                  .downcallHandle(
                      function("ggml_threadpool_new"), FunctionDescriptor.of(ADDRESS, ADDRESS))
                  .invoke(parameters);
      if (address.address() == 0) throw new AssertionError("llama.cpp makes no threads");
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** One of the library that was loaded for this processor, whichever that is. */
  private MemorySegment function(String name) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cpu =
          (MemorySegment)
              llama
                  .function(
                      "libggml.",
                      "ggml_backend_reg_by_name",
                      FunctionDescriptor.of(ADDRESS, ADDRESS))
                  .invoke(arena.allocateFrom("CPU"));
      MemorySegment found =
          (MemorySegment)
              llama
                  .function(
                      "libggml-base.",
                      "ggml_backend_reg_get_proc_address",
                      FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS))
                  .invoke(cpu, arena.allocateFrom(name));
      if (found.address() == 0) throw new AssertionError("llama.cpp has no " + name);
      return found;
    }
  }

  /** For batches of any size. */
  void attach(MemorySegment context) {
    try {
      llama
          .function("llama_attach_threadpool", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS))
          .invoke(context, address, address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Not before its context is closed. */
  @Override
  public void close() {
    try {
      Linker.nativeLinker()
          .downcallHandle(function("ggml_threadpool_free"), FunctionDescriptor.ofVoid(ADDRESS))
          .invoke(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
