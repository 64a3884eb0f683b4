package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.List;

/**
 * Sampled stacks that know their scope: the innermost one open on that thread at that time.
 *
 * <p>Samples that belong together are counted in one row. A row's {@code lane} and {@code node}
 * point into {@link Profile#lanes}; where no scope was open, the lane is {@link #OUTSIDE}, and
 * where that cannot be told any more, {@link #UNATTRIBUTED}; the node is −1 then.
 *
 * @param source what took the CPU samples
 * @param periodNanos CPU time between two samples of a thread, as asked for
 * @param locations where code was
 * @param calls stacks as a tree that shares its beginnings: a row's {@code stack} is the call it
 *     was sampled in
 * @param cpu running code
 * @param allocations allocated objects
 * @param live objects that were allocated in the session and outlived its latest collection; their
 *     bytes are an estimate, shares of what the heap has grown by
 * @param deoptimizations compiled code that was given up
 * @param quality what is missing, and how exact times are
 */
public record Samples(
    Source source,
    long periodNanos,
    List<Location> locations,
    List<Call> calls,
    List<Cpu> cpu,
    List<Allocated> allocations,
    List<Allocated> live,
    List<Deoptimized> deoptimizations,
    Quality quality) {

  /** {@code lane} of a row that was sampled outside of every scope. */
  public static final int OUTSIDE = -1;

  /** {@code lane} of a row whose scope is not known any more. */
  public static final int UNATTRIBUTED = -2;

  /** {@code stack} of a row without one: it could not be walked, or there was no room for it. */
  public static final int NO_STACK = -1;

  /** Nothing was sampled. */
  public static final Samples NONE =
      new Samples(
          Source.NONE,
          0,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          Quality.PERFECT);

  public Samples {
    locations = List.copyOf(locations);
    calls = List.copyOf(calls);
    cpu = List.copyOf(cpu);
    allocations = List.copyOf(allocations);
    live = List.copyOf(live);
    deoptimizations = List.copyOf(deoptimizations);
  }

  /** Whether anything was sampled. */
  public boolean isEmpty() {
    return cpu.isEmpty() && allocations.isEmpty() && live.isEmpty() && deoptimizations.isEmpty();
  }

  /** The same with objects that are alive. */
  Samples withLive(List<Allocated> objects) {
    return new Samples(
        source, periodNanos, locations, calls, cpu, allocations, objects, deoptimizations, quality);
  }

  /** The locations of a stack, innermost first. */
  public List<Location> stack(int stack) {
    List<Location> frames = new ArrayList<>();
    for (int call = stack; call != NO_STACK; call = calls.get(call).caller()) {
      frames.add(locations.get(calls.get(call).location()));
    }
    return frames;
  }

  /** What takes CPU samples. */
  public enum Source {
    NONE,
    /** A timer of CPU time in each thread: Linux, JDK 25 or later. */
    CPU_TIME,
    /** A thread that looks at a few others every few milliseconds: everywhere. */
    EXECUTION;

    /** The best source here. */
    public static Source best() {
      return System.getProperty("os.name").startsWith("Linux") ? CPU_TIME : EXECUTION;
    }
  }

  /** How code was run. */
  public enum Kind {
    INTERPRETED,
    COMPILED,
    /** Compiled as a part of its caller. */
    INLINED,
    NATIVE
  }

  /**
   * A place in the code.
   *
   * @param type the class, with its package
   * @param method the method's name
   * @param line in the source file, 0 when not known
   */
  public record Location(String type, String method, int line, Kind kind) {}

  /**
   * A call on a stack.
   *
   * @param caller index in {@link Samples#calls} of a call that stands before this one, or −1
   * @param location index in {@link Samples#locations}
   */
  public record Call(int caller, int location) {}

  /**
   * Running code.
   *
   * @param samples how many
   * @param nanos the CPU time they stand for
   */
  public record Cpu(int lane, int node, int stack, long samples, long nanos) {}

  /**
   * Objects of a class, allocated by the same code in the same scope.
   *
   * @param type the class, as source code writes it
   * @param samples how many
   * @param bytes what they stand for, not the size of the objects seen
   */
  public record Allocated(int lane, int node, int stack, String type, long samples, long bytes) {}

  /**
   * Compiled code that was given up and interpreted again.
   *
   * @param location index in {@link Samples#locations} of the code
   * @param reason in the JVM's words
   * @param times how often
   */
  public record Deoptimized(int lane, int node, int location, String reason, long times) {}

  /**
   * What is missing, and how exact times are.
   *
   * @param lost CPU samples that the JVM had no room for
   * @param failed CPU samples whose stack could not be walked; they count for their scope
   * @param cutOff samples whose stack there was no room for; they count for their scope
   * @param ownNanos CPU time of the threads that sample, in no row
   * @param clockErrorNanos how far a sample's time may be from the time of scopes
   */
  public record Quality(long lost, long failed, long cutOff, long ownNanos, long clockErrorNanos) {
    /** Nothing is missing. */
    public static final Quality PERFECT = new Quality(0, 0, 0, 0, 0);
  }
}
