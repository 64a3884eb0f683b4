package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Sampled stacks that know their scope: the innermost one open on that thread at that time.
 *
 * <p>Samples that belong together are counted in one row. A row's {@code lane} and {@code node}
 * point into {@link Profile#lanes}; where no scope was open, the lane is {@link #OUTSIDE}, and
 * where that cannot be told any more, {@link #UNATTRIBUTED}; the node is −1 then.
 *
 * @param source what took the CPU samples
 * @param event what they were taken by: after so much of it, a thread was sampled
 * @param engine who took samples, in words
 * @param period how much of the event lies between two samples of a thread, as asked for
 * @param locations where code was
 * @param calls stacks as a tree that shares its beginnings: a row's {@code stack} is the call it
 *     was sampled in
 * @param cpu running code
 * @param threads the same by thread
 * @param allocations allocated objects
 * @param live objects that were allocated in the session and outlived its latest collection; their
 *     bytes are an estimate, shares of what the heap has grown by
 * @param deoptimizations compiled code that was given up
 * @param quality what is missing, and how exact times are
 */
public record Samples(
    Source source,
    Event event,
    String engine,
    long period,
    List<Location> locations,
    List<Call> calls,
    List<Cpu> cpu,
    List<OfThread> threads,
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
          Event.CPU,
          "",
          0,
          List.of(),
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
    threads = List.copyOf(threads);
    allocations = List.copyOf(allocations);
    live = List.copyOf(live);
    deoptimizations = List.copyOf(deoptimizations);
  }

  /** Whether anything was sampled. */
  public boolean isEmpty() {
    return cpu.isEmpty() && allocations.isEmpty() && live.isEmpty() && deoptimizations.isEmpty();
  }

  /** The same with other rows of running code. */
  Samples withCpu(List<Cpu> rows) {
    return with(rows, live);
  }

  /** The same with objects that are alive. */
  Samples withLive(List<Allocated> objects) {
    return with(cpu, objects);
  }

  private Samples with(List<Cpu> cpu, List<Allocated> live) {
    return new Samples(
        source,
        event,
        engine,
        period,
        locations,
        calls,
        cpu,
        threads,
        allocations,
        live,
        deoptimizations,
        quality);
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
    EXECUTION,
    /** async-profiler, which sees code outside of Java, too. */
    ASYNC;

    /** The best source of the JDK here. */
    public static Source best() {
      return System.getProperty("os.name").startsWith("Linux") ? CPU_TIME : EXECUTION;
    }
  }

  /**
   * What makes a thread be sampled. All but the first are counted by the processor or the kernel.
   */
  public enum Event {
    /** CPU time, in nanoseconds. */
    CPU("CPU time", 2_000_000),
    CYCLES("cycles", 5_000_000),
    INSTRUCTIONS("instructions", 5_000_000),
    CACHE_MISSES("cache misses", 10_000),
    BRANCH_MISSES("branch misses", 10_000),
    /** Counted by the kernel, so also where a machine has no counters. */
    PAGE_FAULTS("page faults", 10);

    private final String words;
    private final long period;

    Event(String words, long period) {
      this.words = words;
      this.period = period;
    }

    /** {@code cache misses}. */
    public String words() {
      return words;
    }

    /** {@code cache-misses}, as options name it. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** How much of it lies between two samples, unless asked otherwise. */
    long period() {
      return period;
    }

    /** The event that options name so; an IllegalArgumentException lists them all. */
    public static Event of(String id) {
      for (Event event : values()) if (event.id().equals(id)) return event;
      throw new IllegalArgumentException(
          id + ": " + Arrays.stream(values()).map(Event::id).collect(Collectors.joining(", ")));
    }
  }

  /** How code was run. */
  public enum Kind {
    INTERPRETED,
    COMPILED,
    /** Compiled as a part of its caller. */
    INLINED,
    /** A method of a class that is not written in Java. */
    NATIVE,
    /** A function of a library outside of Java, the JVM's own included. */
    LIBRARY,
    /** A function of the operating system's kernel. */
    KERNEL;

    /** Whether there is no class, and the location's type is a library. */
    public boolean outsideJava() {
      return this == LIBRARY || this == KERNEL;
    }
  }

  /**
   * A place in the code.
   *
   * @param type the class, with its package; outside of Java the library's file, empty when unknown
   * @param method the name of the method or function
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
   * @param weight how much of the event they stand for: nanoseconds of CPU time, cache misses
   */
  public record Cpu(int lane, int node, int stack, long samples, long weight) {}

  /**
   * A thread that was sampled, or all of a name.
   *
   * @param thread its name; empty where it has none
   */
  public record OfThread(String thread, long samples, long weight) {}

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
   * @param lost CPU samples that the sampler had no room for
   * @param failed CPU samples whose stack could not be walked; they count for their scope
   * @param cutOff samples whose stack there was no room for; they count for their scope
   * @param ownNanos CPU time of the threads that sample, in no row
   * @param clockErrorNanos how far a sample's time may be from the time of scopes; 0 when both were
   *     read from the same clock
   */
  public record Quality(long lost, long failed, long cutOff, long ownNanos, long clockErrorNanos) {
    /** Nothing is missing. */
    public static final Quality PERFECT = new Quality(0, 0, 0, 0, 0);
  }
}
