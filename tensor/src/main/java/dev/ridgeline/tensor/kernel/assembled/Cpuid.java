package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Asks the processor what it is, by the two instructions that there are for it. */
final class Cpuid implements AutoCloseable {
  private final Arena arena;
  private final Function cpuid;
  private final Function xgetbv;
  private final MemorySegment answer;

  private Cpuid(Arena arena) {
    this.arena = arena;
    cpuid = Function.at(ExecutableMemory.map(cpuidCode(), arena));
    xgetbv = Function.at(ExecutableMemory.map(xgetbvCode(), arena));
    answer = arena.allocate(16, 8);
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

  /** {@code void f(long[1] answer)}: register 0 of those that say what the system saves. */
  static byte[] xgetbvCode() {
    var code = new Assembler();
    code.xor32(RCX, RCX);
    code.xgetbv();
    code.shl(RDX, 32);
    code.or(RAX, RDX); // whose upper half is zero already
    code.store(Mem.at(RDI, 0), RAX);
    code.ret();
    return code.code();
  }

  /** EAX, EBX, ECX, EDX. */
  int[] read(int leaf, int part) {
    cpuid.call(leaf, part, answer.address(), 0);
    return answer.toArray(JAVA_INT);
  }

  /** Which registers the system saves; allowed only where cpuid says that there is xgetbv. */
  long savedState() {
    xgetbv.call(answer.address(), 0, 0, 0);
    int[] halves = answer.toArray(JAVA_INT);
    return Integer.toUnsignedLong(halves[0]) | (long) halves[1] << 32;
  }

  @Override
  public void close() {
    arena.close();
  }
}
