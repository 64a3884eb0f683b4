package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * Why a call of the operating system fails: it is called once more in a form that keeps its error.
 * Java takes some milliseconds for such a form, which a start that goes well need not pay.
 */
final class ErrorNumber {
  private ErrorNumber() {}

  /** The system's own words. */
  static String ofCall(String function, long a, long b, long c, long d, long e, long f) {
    StructLayout kept = Linker.Option.captureStateLayout();
    Linker linker = Linker.nativeLinker();
    var form =
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(kept);
      long _ =
          (long)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow(function),
                      form,
                      Linker.Option.captureCallState("errno"))
                  .invokeExact(state, a, b, c, d, e, f);
      long at = kept.byteOffset(PathElement.groupElement("errno"));
      var text =
          (MemorySegment)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("strerror"),
                      FunctionDescriptor.of(ADDRESS, JAVA_INT))
                  .invokeExact(state.get(JAVA_INT, at));
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
