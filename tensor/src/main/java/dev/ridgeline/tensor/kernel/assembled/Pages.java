package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.SystemCall;
import java.lang.foreign.MemorySegment;
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
      return Posix.here();
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

    private final SystemCall mmap = SystemCall.named("mmap");
    private final SystemCall mprotect = SystemCall.named("mprotect");
    private final SystemCall munmap = SystemCall.named("munmap");
    private final int anonymous;

    private static Posix here;

    private static synchronized Posix here() {
      if (here == null) here = new Posix();
      return here;
    }

    private Posix() {
      String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
      anonymous = os.startsWith("mac") ? 0x1000 : 0x20;
    }

    @Override
    public MemorySegment map(long bytes) {
      int flags = PRIVATE | anonymous;
      long at = mmap.call(0, bytes, READ | WRITE, flags, -1, 0);
      if (at == FAILED) {
        throw refused("map memory", "mmap", 0, bytes, READ | WRITE, flags, -1, 0);
      }
      return MemorySegment.ofAddress(at).reinterpret(bytes);
    }

    @Override
    public void seal(MemorySegment pages) {
      long at = pages.address();
      long bytes = pages.byteSize();
      if ((int) mprotect.call(at, bytes, READ | EXECUTE) == 0) return;
      throw refused("make memory executable", "mprotect", at, bytes, READ | EXECUTE, 0, 0, 0);
    }

    @Override
    public void unmap(MemorySegment pages) {
      if ((int) munmap.call(pages.address(), pages.byteSize(), 0) == 0) return;
      throw refused("give memory back", "munmap", pages.address(), pages.byteSize(), 0, 0, 0, 0);
    }

    private static CodeRefused refused(
        String what, String function, long a, long b, long c, long d, long e, long f) {
      String why = ErrorNumber.ofCall(function, a, b, c, d, e, f);
      return new CodeRefused("the system does not %s: %s".formatted(what, why));
    }
  }
}
