package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The kernels that this process has assembled, by name. They stay as long as it does. */
public final class Code {
  private static final Map<String, byte[]> ALL = new ConcurrentSkipListMap<>();

  private Code() {}

  /** A function of so many longs that answers nothing. */
  static MethodHandle of(String id, byte[] code, int arguments) {
    MemoryLayout[] types = new MemoryLayout[arguments];
    Arrays.fill(types, JAVA_LONG);
    MethodHandle function =
        ExecutableMemory.function(code, FunctionDescriptor.ofVoid(types), Arena.global());
    ALL.put(id, code);
    return function;
  }

  /** Those that were assembled so far. */
  public static Map<String, byte[]> all() {
    return Map.copyOf(ALL);
  }

  /** What a call threw, which our code never does. */
  static RuntimeException passed(Throwable e) {
    if (e instanceof Error error) throw error;
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }
}
