package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Processor time of all processes that this one started and that have ended, with those they
 * started: {@code getrusage}, because {@code /proc} counts in hundredths of a second.
 */
final class ChildrenTime {
  private static final int CHILDREN = -1;

  /** More than any system's {@code struct rusage} takes. */
  private static final int BYTES = 512;

  private ChildrenTime() {}

  static double seconds() {
    Linker linker = Linker.nativeLinker();
    MemorySegment function =
        linker
            .defaultLookup()
            .find("getrusage")
            .orElseThrow(() -> new Problem("--metric cpu: this system does not tell"));
    MethodHandle getrusage =
        linker.downcallHandle(
            function,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(BYTES, Long.BYTES);
      int failed = (int) getrusage.invokeExact(CHILDREN, usage);
      if (failed != 0) throw new Problem("--metric cpu: this system does not tell");
      return time(usage, 0) + time(usage, 16);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Seconds and millionths; the latter are 32 bits wide on some systems, and small on all. */
  private static double time(MemorySegment usage, long at) {
    return usage.get(ValueLayout.JAVA_LONG, at) + 1e-6 * usage.get(ValueLayout.JAVA_INT, at + 8);
  }
}
