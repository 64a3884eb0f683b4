package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that ends, or begins, where nothing may be read or written: a kernel that goes one byte
 * too far ends the JVM, which no test overlooks.
 */
final class GuardedMemory implements AutoCloseable {
  private static final long PAGE = 1 << 16;
  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

  private record Mapped(long at, long bytes) {}

  private final List<Mapped> all = new ArrayList<>();

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** Memory whose last byte is the last that may be touched. */
  long upTo(long bytes) {
    return map(bytes) + PAGE + (bytes + PAGE - 1) / PAGE * PAGE - bytes;
  }

  /** Memory whose first byte is the first that may be touched. */
  long from(long bytes) {
    return map(bytes) + PAGE;
  }

  /** The same, filled with bytes that are NaN when read as numbers. */
  private long map(long bytes) {
    long inner = (bytes + PAGE - 1) / PAGE * PAGE;
    try {
      long at = (long) MMAP.invokeExact(0L, inner + 2 * PAGE, 0, 0x22, -1, 0L);
      if (at == -1) throw new IllegalStateException("no memory");
      all.add(new Mapped(at, inner + 2 * PAGE));
      int answer = (int) MPROTECT.invokeExact(at + PAGE, inner, 3);
      if (answer != 0) throw new IllegalStateException("memory cannot be opened");
      MemorySegment.ofAddress(at + PAGE).reinterpret(inner).fill((byte) 0xFF);
      return at;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      for (Mapped each : all) {
        int _ = (int) MUNMAP.invokeExact(each.at, each.bytes);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
