package dev.ridgeline.tensor.gguf;

import dev.ridgeline.tensor.SystemCall;
import java.lang.foreign.MemorySegment;

/** Tells the operating system which mapped pages are no longer needed, where it listens. */
final class Pages {
  /** The same number on Linux and macOS. */
  private static final int DONT_NEED = 4;

  private static final SystemCall ADVISE = SystemCall.named("madvise");
  private static final long SIZE = size();

  private Pages() {}

  /** Lets go of the pages that lie wholly inside; a later access reads them from the file again. */
  static void release(MemorySegment mapped) {
    if (ADVISE == null || SIZE == 0) return;
    long from = (mapped.address() + SIZE - 1) / SIZE * SIZE;
    long to = (mapped.address() + mapped.byteSize()) / SIZE * SIZE;
    if (from < to) ADVISE.call(from, to - from, DONT_NEED);
  }

  private static long size() {
    SystemCall size = SystemCall.named("getpagesize");
    return size == null ? 0 : (int) size.call(0, 0, 0);
  }
}
