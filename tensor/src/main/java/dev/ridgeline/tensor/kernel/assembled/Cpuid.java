package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Asks the processor what it is, by the two instructions that there are for it. */
final class Cpuid implements AutoCloseable {
  private final Arena arena;
  private final MethodHandle cpuid;
  private final MethodHandle xgetbv;
  private final MemorySegment answer;

  private Cpuid(Arena arena) {
    this.arena = arena;
    cpuid =
        ExecutableMemory.function(
            cpuidCode(), FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, ADDRESS), arena);
    xgetbv = ExecutableMemory.function(xgetbvCode(), FunctionDescriptor.of(JAVA_LONG), arena);
    answer = arena.allocate(JAVA_INT, 4);
  }

  static Cpuid open() {
    Arena arena = Arena.ofConfined();
    try {
      return new Cpuid(arena);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** {@code void f(int leaf, int part, int[4] answer)}. */
  static byte[] cpuidCode() {
    var code = new Assembler();
    code.push(RBX); // the caller's, and cpuid overwrites it
    code.mov(R8, RDX);
    code.mov32(RAX, RDI);
    code.mov32(RCX, RSI);
    code.cpuid();
    code.store32(Mem.at(R8, 0), RAX);
    code.store32(Mem.at(R8, 4), RBX);
    code.store32(Mem.at(R8, 8), RCX);
    code.store32(Mem.at(R8, 12), RDX);
    code.pop(RBX);
    code.ret();
    return code.code();
  }

  /** {@code long f()}: register 0 of those that say what the system saves. */
  static byte[] xgetbvCode() {
    var code = new Assembler();
    code.xor32(RCX, RCX);
    code.xgetbv();
    code.shl(RDX, 32);
    code.or(RAX, RDX); // whose upper half is zero already
    code.ret();
    return code.code();
  }

  /** EAX, EBX, ECX, EDX. */
  int[] read(int leaf, int part) {
    try {
      cpuid.invokeExact(leaf, part, answer);
      return answer.toArray(JAVA_INT);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Which registers the system saves; allowed only where cpuid says that there is xgetbv. */
  long savedState() {
    try {
      return (long) xgetbv.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
