package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Assembled code that is called with numbers and answers nothing; hold it in a constant, which is
 * what makes a call cheap.
 *
 * <p>Every call has the same form, of {@value #ARGUMENTS} numbers: Java takes milliseconds at each
 * start for a form that is new to it, and a caller's numbers beyond those that code reads do not
 * harm it. A thread in it answers no safepoint, so a call must end well within a millisecond.
 *
 * <p>A record, because the compiler trusts the fields of records to stay as they are.
 */
record Function(MethodHandle handle) {
  static final int ARGUMENTS = 13;

  private static final FunctionDescriptor FORM = form();

  private static FunctionDescriptor form() {
    MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS];
    Arrays.fill(arguments, JAVA_LONG);
    return FunctionDescriptor.ofVoid(arguments);
  }

  /** Code that is where it can run. */
  static Function at(MemorySegment code) {
    return new Function(
        Linker.nativeLinker().downcallHandle(code, FORM, Linker.Option.critical(false)));
  }

  void call(long a, long b, long c, long d) {
    call(a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f) {
    call(a, b, c, d, e, f, 0, 0, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f, long g, long h) {
    call(a, b, c, d, e, f, g, h, 0, 0, 0, 0, 0);
  }

  void call(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    call(a, b, c, d, e, f, g, h, i, j, 0, 0, 0);
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
      long m) {
    try {
      handle.invokeExact(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException(thrown); // which our code never throws
    }
  }
}
