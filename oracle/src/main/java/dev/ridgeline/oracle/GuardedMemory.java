package dev.ridgeline.oracle;

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
public final class GuardedMemory implements AutoCloseable {
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

  /** What may be touched lies between two pages that may not. */
  private record Mapped(long at, long inner) {}

  private final List<Mapped> used = new ArrayList<>();
  private final List<Mapped> free = new ArrayList<>();

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** Memory whose last byte is the last that may be touched. */
  public long upTo(long bytes) {
    Mapped memory = take(bytes);
    return memory.at + PAGE + memory.inner - bytes;
  }

  /** Memory whose first byte is the first that may be touched. */
  public long from(long bytes) {
    return take(bytes).at + PAGE;
  }

  /** Gives all of it back, to be had again: what was there is gone. */
  public void clear() {
    free.addAll(used);
    used.clear();
  }

  /** Filled with bytes that are NaN when read as numbers. */
  private Mapped take(long bytes) {
    long inner = Math.max(1, (bytes + PAGE - 1) / PAGE) * PAGE;
    Mapped memory = null;
    for (int i = free.size() - 1; i >= 0 && memory == null; i--) {
      if (free.get(i).inner == inner) memory = free.remove(i);
    }
    if (memory == null) memory = map(inner);
    used.add(memory);
    MemorySegment.ofAddress(memory.at + PAGE).reinterpret(inner).fill((byte) 0xFF);
    return memory;
  }

  private static Mapped map(long inner) {
    try {
      long at = (long) MMAP.invokeExact(0L, inner + 2 * PAGE, 0, 0x22, -1, 0L);
      if (at == -1) throw new IllegalStateException("no memory");
      int answer = (int) MPROTECT.invokeExact(at + PAGE, inner, 3);
      if (answer != 0) throw new IllegalStateException("memory cannot be opened");
      return new Mapped(at, inner);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    clear();
    try {
      for (Mapped each : free) {
        int _ = (int) MUNMAP.invokeExact(each.at, each.inner + 2 * PAGE);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    free.clear();
  }
}
