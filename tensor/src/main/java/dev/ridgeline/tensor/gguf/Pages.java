package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Tells the operating system which mapped pages are no longer needed, where it listens. */
final class Pages {
  /** The same number on Linux and macOS. */
  private static final int DONT_NEED = 4;

  private static final MethodHandle ADVISE =
      handle("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final long SIZE = size();

  private Pages() {}

  /** Lets go of the pages that lie wholly inside; a later access reads them from the file again. */
  static void release(MemorySegment mapped) {
    if (ADVISE == null || SIZE == 0) return;
    long from = (mapped.address() + SIZE - 1) / SIZE * SIZE;
    long to = (mapped.address() + mapped.byteSize()) / SIZE * SIZE;
    if (from >= to) return;
    try {
      int _ = (int) ADVISE.invokeExact(MemorySegment.ofAddress(from), to - from, DONT_NEED);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long size() {
    MethodHandle size = handle("getpagesize", FunctionDescriptor.of(JAVA_INT));
    if (size == null) return 0;
    try {
      return (int) size.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle handle(String function, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(function)
        .map(address -> linker.downcallHandle(address, descriptor))
        .orElse(null);
  }
}
