package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * Memory that assembled code runs in: written first, executable from then on, never both at once,
 * and given back with its arena.
 *
 * <p>A handle cannot be called after its arena was closed, and an arena cannot be closed while its
 * code runs.
 */
public final class ExecutableMemory {
  private ExecutableMemory() {}

  /**
   * Code as a function of a form of its own.
   *
   * <p>A thread in it answers no safepoint, so a call must end well within a millisecond.
   */
  public static MethodHandle function(byte[] code, FunctionDescriptor type, Arena arena) {
    return Linker.nativeLinker()
        .downcallHandle(map(code, arena), type, Linker.Option.critical(false));
  }

  /** Puts code where it can run; a {@link CodeRefused} says why that cannot be. */
  static MemorySegment map(byte[] code, Arena arena) {
    String refusal = refusal();
    if (refusal != null) throw new CodeRefused(refusal);
    return map(code, arena, Pages.here());
  }

  static MemorySegment map(byte[] code, Arena arena, Pages pages) {
    MemorySegment written = pages.map(code.length);
    try {
      MemorySegment.copy(MemorySegment.ofArray(code), 0, written, 0, code.length);
      pages.seal(written);
      return written.reinterpret(arena, pages::unmap);
    } catch (RuntimeException e) {
      pages.unmap(written);
      throw e;
    }
  }

  /** Why this process runs no assembled code, or null. Memory may still be refused. */
  static String refusal() {
    return refusal(
        System.getProperty(Kernels.PROPERTY),
        System.getProperty("os.arch", ""),
        System.getProperty("os.name", ""));
  }

  static String refusal(String asked, String architecture, String os) {
    if (asked != null && !asked.equals("assembled")) {
      return "-D%s=%s asks for other kernels".formatted(Kernels.PROPERTY, asked);
    }
    if (!architecture.matches("amd64|x86_64")) {
      return "this is %s, not x86-64".formatted(architecture);
    }
    String system = os.toLowerCase(Locale.ROOT);
    if (!system.startsWith("linux") && !system.startsWith("mac")) {
      return os + " does not call functions by the System V convention";
    }
    return null;
  }
}
