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

  /**
   * @param past whether it goes about it as for memory that no cache holds, see {@link
   *     MachineLoops#stream}
   */
  StreamLoop(Flow flow, boolean past, CpuFeatures cpu, Arena arena) {
    this.flow = flow;
    int bits = MachineLoops.bits(cpu);
    function =
        bits == 0
            ? null
            : ExecutableMemory.function(MachineLoops.stream(flow, past, bits), STREAM, arena);
    pattern = bits > 0 && flow == Flow.WRITE ? Pattern.of(bits / 8, arena) : null;
    turn = bits == 0 ? VectorLoops.TURN : MachineLoops.VECTORS * bits / 8;
  }

  /** Loads alone; lives as long as the arena. */
  public static StreamLoop reading(Arena arena) {
    return new StreamLoop(Flow.READ, false, CpuFeatures.here(), arena);
  }

  /** Stores alone. */
  public static StreamLoop writing(Arena arena) {
    return new StreamLoop(Flow.WRITE, false, CpuFeatures.here(), arena);
  }

  /** Bytes of a turn: every stretch has whole ones. */
  public int turn() {
    return turn;
  }

  /** Goes through memory once; what takes longer than a millisecond is better cut by the caller. */
  public void run(long at, long bytes) {
    if (bytes <= 0 || bytes % turn != 0) throw new IllegalArgumentException(bytes + " bytes");
    run(at, at, bytes, 1);
  }

  /** Reads from one place, writes to another, or copies, so many times. */
  void run(long from, long to, long bytes, long times) {
    if (function == null) {
      for (long i = 0; i < times; i++) {
        switch (flow) {
          case READ -> VectorLoops.read(from, bytes);
          case WRITE -> VectorLoops.write(to, bytes);
          case COPY -> VectorLoops.copy(from, to, bytes);
        }
      }
      return;
    }
    try {
      function.invokeExact(pattern == null ? from : pattern.address(), to, bytes, times);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
