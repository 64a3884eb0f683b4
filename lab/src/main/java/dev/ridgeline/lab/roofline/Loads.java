package dev.ridgeline.lab.roofline;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.ExecutableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes loads for cores: of assembled code where that can run, else of the Vector API. What they
 * need lives as long as the arena.
 */
final class Loads {
  /** Turns of a piece of arithmetic: some 50 µs. */
  private static final int TURNS = 8192;

  /** Bytes of a piece of memory: some 50 µs where they come from DRAM. */
  static final long PIECE = 1 << 20;

  /** What buffers begin at a multiple of. */
  static final int PAGE = 4096;

  /** What a copy may need beyond the bytes it is told. */
  static final int SLACK = 2 * PAGE;

  /**
   * How far behind its source the target of a copy lies in a page: a store whose address has the
   * same last 12 bits as a load that follows it would hold that up.
   */
  private static final long LAG = PAGE - 512;

  private static final FunctionDescriptor COMPUTE =
      FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private final CpuFeatures cpu;
  private final Arena arena;
  private final Map<Object, MethodHandle> functions = new HashMap<>();
  private final Map<String, StreamLoop> loops = new HashMap<>();

  Loads(CpuFeatures cpu, Arena arena) {
    this.cpu = cpu;
    this.arena = arena;
  }

  /** Widths that a kind of arithmetic can be measured with, widest first; 0 stands for Java's. */
  List<Integer> widths(Arithmetic kind) {
    List<Integer> widths = MachineLoops.widths(kind, cpu);
    return widths.isEmpty() && kind == Arithmetic.F32 ? List.of(0) : widths;
  }

  /** Arithmetic on registers alone, or on tiles from the nearest cache. */
  Load compute(Arithmetic kind, int bits) {
    if (bits == 0) return new VectorFma();
    MethodHandle function =
        functions.computeIfAbsent(
            kind + " " + bits,
            _ -> ExecutableMemory.function(MachineLoops.compute(kind, bits), COMPUTE, arena));
    MemorySegment in = arena.allocate(MachineLoops.inputBytes(bits), Memory.ALIGNMENT);
    // Neither zero nor growing without bounds: what a processor saves on zeros is not its peak.
    for (long i = 0; i < in.byteSize() / 4; i++) {
      if (kind == Arithmetic.F32) in.setAtIndex(JAVA_FLOAT, i, 0.5f + i / 64f);
      else in.setAtIndex(JAVA_FLOAT, i, Float.intBitsToFloat(0x3F81_3F03 + (int) i));
    }
    if (bits == MachineLoops.TILE) MachineLoops.configure(in);
    long size = (long) MachineLoops.sums(kind) * bits / 8;
    MemorySegment sums = arena.allocate(size, Memory.ALIGNMENT);
    boolean longer = kind == Arithmetic.INT8_NIBBLES || bits == MachineLoops.TILE;
    long turns = longer ? TURNS / 4 : TURNS;
    double amount = turns * MachineLoops.operations(kind, bits);
    return new MachineCompute(function, in.address(), sums.address(), turns, amount);
  }

  /**
   * Memory from one address on.
   *
   * @param at the beginning of a page
   * @param bytes that are touched, by a copy in halves; {@link #SLACK} more are there
   * @param past whether it goes about it as for memory that no cache holds, see {@link
   *     MachineLoops#stream}
   */
  Load stream(Flow flow, long at, long bytes, boolean past) {
    long touched = flow == Flow.COPY ? bytes / 2 : bytes;
    StreamLoop loop =
        loops.computeIfAbsent(flow + " " + past, _ -> new StreamLoop(flow, past, cpu, arena));
    long unit = touched >= PIECE ? PIECE : loop.turn();
    long size = touched / unit * unit;
    if (size == 0) throw new IllegalArgumentException(bytes + " bytes are too few");
    long to = flow == Flow.COPY ? at + (size + PAGE - 1) / PAGE * PAGE + LAG : at;
    return new Stream(loop, at, to, size, flow == Flow.COPY ? 2 : 1);
  }

  private record MachineCompute(
      MethodHandle function, long in, long sums, long turns, double amount) implements Load {
    @Override
    public void run() {
      try {
        function.invokeExact(in, sums, turns);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class VectorFma implements Load {
    @Override
    public void run() {
      VectorLoops.fma(TURNS);
    }

    @Override
    public double amount() {
      return TURNS * VectorLoops.OPERATIONS;
    }
  }

  /** A way through memory, piece by piece. */
  private static final class Stream implements Load {
    private final StreamLoop loop;
    private final long from;
    private final long to;
    private final long size;
    private final long piece;
    private final int counted;
    private long position;

    /**
     * @param counted how often a byte counts: twice where it is read and written
     */
    Stream(StreamLoop loop, long from, long to, long size, int counted) {
      this.loop = loop;
      this.from = from;
      this.to = to;
      this.size = size;
      this.piece = Math.min(size, PIECE);
      this.counted = counted;
    }

    /** How often a small one is gone through in a piece. */
    private long times() {
      return Math.max(1, PIECE / size);
    }

    @Override
    public void run() {
      loop.run(from + position, to + position, piece, times());
      position = position + piece >= size ? 0 : position + piece;
    }

    @Override
    public double amount() {
      return (double) piece * times() * counted;
    }

    /**
     * Pieces of a quarter. Memory is measured on four times the last cache, so that what of a
     * window is still there from the last time round is little; and a window through all of it
     * would be long enough for others to come between.
     */
    @Override
    public int fewest() {
      return Math.toIntExact((size / piece + 3) / 4);
    }
  }
}
