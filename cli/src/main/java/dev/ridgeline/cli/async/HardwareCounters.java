package dev.ridgeline.cli.async;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Asks the kernel for a counter of the processor, and gives it back. */
public final class HardwareCounters {
  /** No system that has such a call. */
  public static final int NO_SUCH_CALL = 38;

  // struct perf_event_attr in its first version, which every kernel reads.
  private static final int ATTRIBUTES = 64;
  private static final int SIZE = 4;
  private static final int FLAGS = 40;
  private static final long DISABLED = 1;
  private static final long EXCLUDE_KERNEL = 1 << 5;
  private static final long EXCLUDE_HYPERVISOR = 1 << 6;

  private HardwareCounters() {}

  /** 0 when this process may count its own cycles, or the kernel's error number. */
  public static int refusal() {
    long number = perfEventOpen(System.getProperty("os.name"), System.getProperty("os.arch"));
    if (number < 0) return NO_SUCH_CALL;
    Linker linker = Linker.nativeLinker();
    MemoryLayout state = Linker.Option.captureStateLayout();
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle call =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Linker.Option.firstVariadicArg(1),
              Linker.Option.captureCallState("errno"));
      MethodHandle close =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("close"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
      MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
      // Type and configuration stay 0: hardware, cycles.
      attributes.set(ValueLayout.JAVA_INT, SIZE, ATTRIBUTES);
      attributes.set(ValueLayout.JAVA_LONG, FLAGS, DISABLED | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR);
      MemorySegment error = arena.allocate(state);
      long file = (long) call.invokeExact(error, number, attributes, 0L, -1L, -1L, 0L);
      if (file < 0) {
        return (int) state.varHandle(PathElement.groupElement("errno")).get(error, 0L);
      }
      int closed = (int) close.invokeExact((int) file);
      return closed;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call the kernel: " + e, e);
    }
  }

  private static long perfEventOpen(String system, String processor) {
    if (!system.equals("Linux")) return -1;
    return switch (processor) {
      case "amd64", "x86_64" -> 298;
      case "aarch64", "riscv64" -> 241;
      default -> -1;
    };
  }
}
