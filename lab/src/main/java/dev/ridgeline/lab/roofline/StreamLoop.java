package dev.ridgeline.lab.roofline;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.ExecutableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The loop that memory's ceilings are measured with, over any stretch of memory: nothing but loads,
 * or nothing but stores that go through the caches.
 */
public final class StreamLoop {
  private static final FunctionDescriptor STREAM =
      FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private final Flow flow;
  private final MethodHandle function;
  private final MemorySegment pattern;
  private final int turn;

  private StreamLoop(Flow flow, Arena arena) {
    this.flow = flow;
    int bits = MachineLoops.bits(CpuFeatures.here());
    function =
        bits == 0
            ? null
            : ExecutableMemory.function(MachineLoops.stream(flow, false, bits), STREAM, arena);
    pattern = bits > 0 && flow == Flow.WRITE ? Pattern.of(bits / 8, arena) : null;
    turn = bits == 0 ? VectorLoops.TURN : MachineLoops.VECTORS * bits / 8;
  }

  /** Loads alone; lives as long as the arena. */
  public static StreamLoop reading(Arena arena) {
    return new StreamLoop(Flow.READ, arena);
  }

  /** Stores alone. */
  public static StreamLoop writing(Arena arena) {
    return new StreamLoop(Flow.WRITE, arena);
  }

  /** Bytes of a turn: every stretch has whole ones. */
  public int turn() {
    return turn;
  }

  /** Goes through memory once; what takes longer than a millisecond is better cut by the caller. */
  public void run(long at, long bytes) {
    if (bytes <= 0 || bytes % turn != 0) throw new IllegalArgumentException(bytes + " bytes");
    if (function == null) {
      if (flow == Flow.READ) VectorLoops.read(at, bytes);
      else VectorLoops.write(at, bytes);
      return;
    }
    try {
      function.invokeExact(pattern == null ? at : pattern.address(), at, bytes, 1L);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
