package dev.ridgeline.tensor.kernel.assembled;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;

/** Pages of memory and what may be done with them, as the operating system has it. */
interface Pages {
  /** Fresh pages that can be written and not executed. */
  MemorySegment map(long bytes);

  /** From now on they can be executed and not written. */
  void seal(MemorySegment pages);

  void unmap(MemorySegment pages);

  /** Those of this machine, by mmap and its kin; a {@link CodeRefused} says why there are none. */
  static Pages here() {
    try {
      return new Posix();
    } catch (IllegalCallerException e) {
      throw new CodeRefused("this JVM allows no native access (--enable-native-access)", e);
    }
  }

  /** The calls that POSIX names; numbers are those of Linux, and of macOS where they differ. */
  final class Posix implements Pages {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int EXECUTE = 4;
    private static final int PRIVATE = 2;
    private static final long FAILED = -1;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private final MethodHandle mmap;
    private final MethodHandle mprotect;
    private final MethodHandle munmap;
    private final MethodHandle strerror;
    private final int anonymous;

    private Posix() {
      var linker = Linker.nativeLinker();
      var number = ValueLayout.JAVA_INT;
      var size = ValueLayout.JAVA_LONG;
      var address = ValueLayout.ADDRESS;
      mmap =
          find(
              linker,
              "mmap",
              FunctionDescriptor.of(size, size, size, number, number, number, size));
      mprotect = find(linker, "mprotect", FunctionDescriptor.of(number, address, size, number));
      munmap = find(linker, "munmap", FunctionDescriptor.of(number, address, size));
      strerror =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("strerror"),
              FunctionDescriptor.of(address, number));
      String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
      anonymous = os.startsWith("mac") ? 0x1000 : 0x20;
    }

    private static MethodHandle find(Linker linker, String name, FunctionDescriptor type) {
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
    }

    @Override
    public MemorySegment map(long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        long at =
            (long) mmap.invokeExact(state, 0L, bytes, READ | WRITE, PRIVATE | anonymous, -1, 0L);
        if (at == FAILED) throw refused("map memory", state);
        return MemorySegment.ofAddress(at).reinterpret(bytes);
      } catch (Throwable e) {
        throw passed(e);
      }
    }

    @Override
    public void seal(MemorySegment pages) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        int answer = (int) mprotect.invokeExact(state, pages, pages.byteSize(), READ | EXECUTE);
        if (answer != 0) throw refused("make memory executable", state);
      } catch (Throwable e) {
        throw passed(e);
      }
    }

    @Override
    public void unmap(MemorySegment pages) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        int answer = (int) munmap.invokeExact(state, pages, pages.byteSize());
        if (answer != 0) throw refused("give memory back", state);
      } catch (Throwable e) {
        throw passed(e);
      }
    }

    private CodeRefused refused(String what, MemorySegment state) throws Throwable {
      int errno = (int) ERRNO.get(state, 0L);
      var text = (MemorySegment) strerror.invokeExact(errno);
      return new CodeRefused(
          "the system does not %s: %s"
              .formatted(what, text.reinterpret(Long.MAX_VALUE).getString(0)));
    }

    private static RuntimeException passed(Throwable e) {
      if (e instanceof Error error) throw error;
      return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
  }
}
