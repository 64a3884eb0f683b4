package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Assembled code that is called with numbers and answers nothing; assembled when it is first
 * called.
 *
 * <p>Every call has the same form, of {@value #ARGUMENTS} numbers, and goes through the same
 * handle: Java takes milliseconds at each start for a form that is new to it, and a caller's
 * numbers beyond those that code reads do not harm it. A thread in it answers no safepoint, so a
 * call must end well within a millisecond.
 */
final class Function {
  static final int ARGUMENTS = 14;

  private static final MethodHandle CALL =
      Linker.nativeLinker().downcallHandle(form(), Linker.Option.critical(false));

  private final String id;
  private final Emitter emitter;

  /** What was assembled; null before. */
  private volatile Code.Kernel kernel;

  /** Where it runs. Segments are immutable, so whoever sees one sees all of it. */
  private MemorySegment at;

  Function(String id, Emitter emitter) {
    this.id = id;
    this.emitter = emitter;
  }

  private Function(MemorySegment code) {
    this("", null);
    this.at = code;
  }

  /** Code that is where it can run, and nobody else's. */
  static Function at(MemorySegment code) {
    return new Function(code);
  }

  private static FunctionDescriptor form() {
    MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS];
    Arrays.fill(arguments, JAVA_LONG);
    return FunctionDescriptor.ofVoid(arguments);
  }

  /** What was assembled, or null. */
  Code.Kernel kernel() {
    return kernel;
  }

  synchronized MemorySegment assemble() {
    if (at == null) {
      byte[] code = emitter.emit();
      MemorySegment mapped = Code.map(id, code);
      kernel = new Code.Kernel(id, code, mapped.address());
      at = mapped;
    }
    return at;
  }

  void call(long a, long b, long c, long d) {
    call(a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f) {
    call(a, b, c, d, e, f, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f, long g, long h) {
    call(a, b, c, d, e, f, g, h, 0, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    call(a, b, c, d, e, f, g, h, i, j, 0, 0, 0, 0);
  }

  void call(
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i,
      long j,
      long k,
      long l,
      long m,
      long n) {
    MemorySegment code = at;
    if (code == null) code = assemble();
    try {
      CALL.invokeExact(code, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException(thrown); // which our code never throws
    }
  }
}
