package dev.ridgeline.tensor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * A function of the operating system that takes up to six whole numbers or addresses.
 *
 * <p>All of them are called in one form, since Java takes milliseconds at each start for every form
 * of a call that is new to it. Arguments beyond those of the function go unread, and one that is
 * narrower than 64 bits is the lower part of its register.
 */
public record SystemCall(MethodHandle handle) {
  private static final FunctionDescriptor FORM =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The function of a name; null where there is none. */
  public static SystemCall named(String name, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    var address = linker.defaultLookup().find(name);
    // No lambda: it would cost a start more than it says.
    if (address.isEmpty()) return null;
    return new SystemCall(linker.downcallHandle(address.get(), FORM, options));
  }

  /** Of a function that answers an int, only the lower half of the answer means something. */
  public long call(long a, long b, long c, long d, long e, long f) {
    try {
      return (long) handle.invokeExact(a, b, c, d, e, f);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException(thrown);
    }
  }

  public long call(long a, long b, long c) {
    return call(a, b, c, 0, 0, 0);
  }
}
