package dev.ridgeline.profiler;

import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The immutable result of a session: what every thread recorded, and what went on around it.
 *
 * <p>Lanes hold the raw truth, thread by thread. {@link #tree()} merges them into the one tree that
 * reports are drawn from.
 *
 * @param level what was recorded
 * @param started when the session began
 * @param wallNanos time from start to this snapshot
 * @param lanes one per recording thread
 * @param devices one per queue of a device
 * @param paths the places from which tasks were handed to other threads or operations to devices;
 *     {@link Node#origin} points here
 * @param calibration the recorder's own cost on this machine
 * @param system what the JVM and the machine did meanwhile
 * @param ledger memory outside the heap, by owner
 * @param slips uses of the profiler that went wrong, and what its limits cut off
 * @param samples sampled stacks, by scope
 * @param pools worker pools that tell what they do
 * @param waits how waiting was told from running, and who waited for whose locks
 */
public record Profile(
    Level level,
    Instant started,
    long wallNanos,
    List<Lane> lanes,
    List<Device> devices,
    List<Path> paths,
    Calibration calibration,
    SystemActivity system,
    List<LedgerEntry> ledger,
    Slips slips,
    Samples samples,
    List<Pool> pools,
    Waits waits) {

  /** Value of an allocation that could not be read (virtual threads, level TIME). */
  public static final long UNKNOWN = -1;

  public Profile {
    lanes = List.copyOf(lanes);
    devices = List.copyOf(devices);
    paths = List.copyOf(paths);
    ledger = List.copyOf(ledger);
    pools = List.copyOf(pools);
  }

  /** The same profile with other samples, no more of them in the recorder than it cost. */
  Profile withBoundedOwnWork() {
    return withSamples(OwnWork.bounded(samples, this));
  }

  /** The same profile with other samples. */
  public Profile withSamples(Samples other) {
    return with(lanes, paths, calibration, other);
  }

  private Profile with(List<Lane> lanes, List<Path> paths, Calibration cost, Samples samples) {
    return new Profile(
        level, started, wallNanos, lanes, devices, paths, cost, system, ledger, slips, samples,
        pools, waits);
  }

  /** The same profile with scopes called otherwise. */
  public Profile renamed(UnaryOperator<String> names) {
    return with(
        lanes.stream()
            .map(lane -> lane.with(lane.nodes().stream().map(n -> n.named(names)).toList()))
            .toList(),
        paths.stream().map(p -> new Path(p.parent, names.apply(p.name), p.task)).toList(),
        calibration,
        samples);
  }

  /** All lanes merged into one tree; computed on every call, so keep it. */
  public CallTree tree() {
    return CallTree.of(this);
  }

  /** The same with the recorder's cost, where that was measured later. */
  public Profile calibrated(Calibration cost) {
    return with(lanes, paths, cost, samples).withBoundedOwnWork();
  }

  /** Lanes of threads, then of devices, as a timeline has them below each other. */
  public List<Lane> timeline() {
    return Stream.concat(lanes.stream(), devices.stream().map(Device::lane)).toList();
  }

  /** Time inside outermost scopes, summed over all threads: what percentages are of. */
  public long threadNanos() {
    return lanes.stream().mapToLong(Lane::totalNanos).sum();
  }

  /**
   * What one thread recorded.
   *
   * @param thread the thread's name; a lane that several threads used in turn has the first one's
   * @param virtual whether the lane served virtual threads, whose allocation is unknown
   * @param threads how many threads used this lane, one after the other
   * @param nodes parents before children
   * @param trace raw events, empty below {@link Level#TRACE}
   */
  public record Lane(String thread, boolean virtual, long threads, List<Node> nodes, Trace trace) {
    public Lane {
      nodes = List.copyOf(nodes);
    }

    /** The same lane with other nodes in place of its own. */
    Lane with(List<Node> others) {
      return new Lane(thread, virtual, threads, others, trace);
    }

    /** Time inside this thread's outermost scopes. */
    public long totalNanos() {
      long sum = 0;
      for (Node node : nodes) if (node.parent() < 0) sum += node.time().totalNanos();
      return sum;
    }
  }

  /** Time that devices were busy with operations, summed over all of them. */
  public long deviceNanos() {
    return devices.stream().mapToLong(Device::totalNanos).sum();
  }

  /**
   * What one queue of a device did, by its own clock.
   *
   * @param name the device's and the queue's: {@code cuda:0}
   * @param busyNanos time in which it had something to do
   * @param idleNanos time between its first operation and its last in which it had nothing to do
   * @param operations by the place that asked for them, which {@link Node#origin} names; none is
   *     inside of another
   * @param trace raw events, empty below {@link Level#TRACE}
   */
  public record Device(
      String name, long busyNanos, long idleNanos, List<Node> operations, Trace trace) {
    public Device {
      operations = List.copyOf(operations);
    }

    /** The same as a lane, for a timeline; no thread has it. */
    Lane lane() {
      return new Lane(name, false, 0, operations, trace);
    }

    /** Time of its operations: more than it was busy where some ran at once. */
    public long totalNanos() {
      long sum = 0;
      for (Node operation : operations) sum += operation.time().totalNanos();
      return sum;
    }
  }

  /**
   * One scope at one place in one thread's tree, or an operation of a device.
   *
   * @param parent index of the parent in the lane, or −1 for an outermost scope
   * @param name the scope's name
   * @param origin {@link #SCOPE} for a plain scope; for a task that was handed over, index into
   *     {@link Profile#paths} of the place it came from
   * @param time calls and durations
   * @param allocation heap bytes
   * @param work declared bytes and operations
   * @param fanOut how evenly the tasks handed over from here were spread
   * @param waiting what its self time was not running
   */
  public record Node(
      int parent,
      String name,
      int origin,
      Time time,
      Allocation allocation,
      Work work,
      FanOut fanOut,
      Waiting waiting) {
    /** {@link #origin} of a plain scope. */
    public static final int SCOPE = -2;

    /** {@link #origin} of a task that was handed over from outside every scope. */
    public static final int OUTSIDE = -1;

    /** A scope that was not seen waiting. */
    public Node(
        int parent,
        String name,
        int origin,
        Time time,
        Allocation allocation,
        Work work,
        FanOut fanOut) {
      this(parent, name, origin, time, allocation, work, fanOut, Waiting.NONE);
    }

    /** The same scope with its self time split in another way. */
    public Node with(Waiting other) {
      return new Node(parent, name, origin, time, allocation, work, fanOut, other);
    }

    private Node named(UnaryOperator<String> names) {
      return new Node(parent, names.apply(name), origin, time, allocation, work, fanOut, waiting);
    }

    /** Whether this is a task that came from another place (usually another thread). */
    public boolean isTask() {
      return origin != SCOPE;
    }
  }

  /**
   * Calls and durations, raw: the recorder's own cost is still in them.
   *
   * @param calls finished calls
   * @param open calls that were still open at the snapshot; their time so far is in {@code
   *     totalNanos}, and nowhere else
   * @param totalNanos time from begin to end, children included
   * @param selfNanos {@code totalNanos} less what children on the same thread took
   * @param minNanos shortest finished call, 0 when none
   * @param maxNanos longest finished call, 0 when none
   * @param histogram finished calls by duration
   */
  public record Time(
      long calls,
      long open,
      long totalNanos,
      long selfNanos,
      long minNanos,
      long maxNanos,
      Histogram histogram) {}

  /**
   * The part of a scope's self time in which its thread waited; the rest of it was running, or
   * waiting for a processor. Estimated from looks at the thread.
   *
   * @param lockNanos for a monitor or a lock that another thread held
   * @param parkedNanos to be woken: parked, in {@code Object.wait}, for a task or a queue
   * @param sleepNanos in {@code Thread.sleep}
   * @param ioNanos in a native method that reads or writes files or sockets
   * @param otherNanos for something else, or for what no look tells
   */
  public record Waiting(
      long lockNanos, long parkedNanos, long sleepNanos, long ioNanos, long otherNanos) {
    public static final Waiting NONE = new Waiting(0, 0, 0, 0, 0);

    /** All of it. */
    public long nanos() {
      return lockNanos + parkedNanos + sleepNanos + ioNanos + otherNanos;
    }

    /** Both together. */
    public Waiting plus(Waiting other) {
      return new Waiting(
          lockNanos + other.lockNanos,
          parkedNanos + other.parkedNanos,
          sleepNanos + other.sleepNanos,
          ioNanos + other.ioNanos,
          otherNanos + other.otherNanos);
    }
  }

  /**
   * How waiting was told from running.
   *
   * @param looks how often threads were looked at, 0 when never
   * @param everyNanos time between two looks, the mean
   * @param runnableNanos how long looks met threads runnable in scopes: no scopes ran for longer
   *     than this and {@link SystemActivity#cpuNanos} together
   * @param contentions who waited for a lock, and for whom
   */
  public record Waits(
      long looks, long everyNanos, long runnableNanos, List<Contention> contentions) {
    public static final Waits NONE = new Waits(0, 0, 0, List.of());

    public Waits {
      contentions = List.copyOf(contentions);
    }
  }

  /**
   * A scope that waited for a lock while another thread held it.
   *
   * @param lane of the scope that waited
   * @param node in that lane
   * @param lock the class of the monitor or lock, empty when not known
   * @param ownerThread name of the thread that held it, empty when not known
   * @param ownerLane lane of the scope that was innermost there, −1 when none was
   * @param ownerNode in that lane, −1 when none was
   * @param nanos how long
   */
  public record Contention(
      int lane,
      int node,
      String lock,
      String ownerThread,
      int ownerLane,
      int ownerNode,
      long nanos) {}

  /**
   * Heap bytes allocated by the scope's own thread; {@link Profile#UNKNOWN} where unreadable.
   *
   * @param totalBytes children included
   * @param selfBytes without children
   */
  public record Allocation(long totalBytes, long selfBytes) {
    public static final Allocation NOT_RECORDED = new Allocation(UNKNOWN, UNKNOWN);

    /** Whether the bytes are a reading, not {@link Profile#UNKNOWN}. */
    public boolean known() {
      return totalBytes != UNKNOWN;
    }
  }

  /**
   * Work that the program declared for a scope.
   *
   * @param bytes bytes moved
   * @param flops floating-point operations
   * @param ops integer operations
   * @param form of the arithmetic, as it was declared; {@link Arithmetic#F32} where it was not
   */
  public record Work(long bytes, long flops, long ops, Arithmetic form) {
    public static final Work NONE = new Work(0, 0);

    /** Work in no special form. */
    public Work(long bytes, long flops, long ops) {
      this(bytes, flops, ops, Arithmetic.F32);
    }

    /** Work without integer operations. */
    public Work(long bytes, long flops) {
      this(bytes, flops, 0);
    }

    /** The form of the floating-point operations. */
    public Arithmetic flopsForm() {
      return form.integer() ? Arithmetic.F32 : form;
    }

    /** The form of the integer operations. */
    public Arithmetic opsForm() {
      return form.integer() ? form : Arithmetic.INT8;
    }

    /** Both together, in the form of the other where this has none. */
    Work plus(Work other) {
      return new Work(
          bytes + other.bytes,
          flops + other.flops,
          ops + other.ops,
          other.form == Arithmetic.F32 ? form : other.form);
    }

    /** Whether anything was declared. */
    public boolean declared() {
      return bytes != 0 || flops != 0 || ops != 0;
    }
  }

  /**
   * How the tasks handed over from one place were spread over threads, summed over the calls of
   * that place so that stragglers who take turns do not cancel out.
   *
   * @param regions calls of the place from which at least one task had run when it ended
   * @param threads threads that ran tasks: on a place, 0; on a task, those which ran it in this
   *     lane
   * @param wallNanos time of those calls, summed
   * @param offeredNanos per call its time × the most threads that were at hand at once, summed
   * @param usedNanos per call what those threads worked until it ended, summed: never more
   * @param maxNanos per call the busiest thread's time, summed
   * @param unevenNanos per call its time × the busiest thread's time over the mean thread's, summed
   */
  public record FanOut(
      long regions,
      long threads,
      long wallNanos,
      long offeredNanos,
      long usedNanos,
      long maxNanos,
      long unevenNanos) {
    public static final FanOut NONE = ofTask(0);

    /** Both together; threads are the larger number. */
    FanOut plus(FanOut other) {
      return new FanOut(
          regions + other.regions,
          Math.max(threads, other.threads),
          wallNanos + other.wallNanos,
          offeredNanos + other.offeredNanos,
          usedNanos + other.usedNanos,
          maxNanos + other.maxNanos,
          unevenNanos + other.unevenNanos);
    }

    /** Of a task that hands nothing over itself. */
    public static FanOut ofTask(long threads) {
      return new FanOut(0, threads, 0, 0, 0, 0, 0);
    }
  }

  /**
   * A place in the merged tree.
   *
   * @param parent index in {@link Profile#paths}, or −1 at the top
   * @param name the scope's name
   * @param task whether the step down to it was a hand-over to another thread
   */
  public record Path(int parent, String name, boolean task) {}

  /**
   * Uses of the profiler that went wrong, and what its limits cut off. All zero in a healthy run.
   *
   * @param misplacedEnds ends without an open scope of that name, or from another thread; ignored
   * @param unclosed scopes that were closed by an outer one
   * @param suppressed calls that were not recorded because a thread's tree was full or too deep;
   *     their time is in the self time of the scope around them
   * @param lateTasks tasks that went on for more than 20 ms, and a tenth of their time, after the
   *     place that handed them over had ended
   */
  public record Slips(long misplacedEnds, long unclosed, long suppressed, long lateTasks) {
    public static final Slips NONE = new Slips(0, 0, 0, 0);
  }

  /**
   * Memory outside the heap held under one name.
   *
   * @param owner the name
   * @param bytes held at the snapshot
   * @param highWaterBytes the most held at once during the session
   */
  public record LedgerEntry(String owner, long bytes, long highWaterBytes) {}

  /**
   * What a pool of worker threads did. Work is handed over in regions, each of them cut into tasks.
   *
   * @param name the pool's
   * @param threads of the pool, without its callers
   * @param regions calls that handed work to the pool
   * @param tasks pieces that work was cut into
   * @param dispatchNanos callers' time until all threads were told
   * @param waitNanos callers' time between their own last task and the end of all others
   * @param spinNanos threads' time watching for work
   * @param parkNanos threads' time asleep for lack of work
   */
  public record Pool(
      String name,
      long threads,
      long regions,
      long tasks,
      long dispatchNanos,
      long waitNanos,
      long spinNanos,
      long parkNanos) {
    /** What was added since an earlier reading. */
    public Pool since(Pool before) {
      return new Pool(
          name,
          threads,
          regions - before.regions,
          tasks - before.tasks,
          dispatchNanos - before.dispatchNanos,
          waitNanos - before.waitNanos,
          spinNanos - before.spinNanos,
          Math.max(0, parkNanos - before.parkNanos));
    }
  }

  /**
   * The recorder's own cost per scope, measured on this machine at this level.
   *
   * @param clockNanos one reading of the clock
   * @param innerNanos what an empty scope measures of itself
   * @param outerNanos what a scope costs its parent beyond that
   * @param residualNanos what correction left over per scope in a check run: the error to expect
   */
  public record Calibration(
      double clockNanos, double innerNanos, double outerNanos, double residualNanos) {
    public static final Calibration NONE = new Calibration(0, 0, 0, 0);

    /** The whole cost of a scope; calls shorter than this are below the floor. */
    public double scopeNanos() {
      return innerNanos + outerNanos;
    }
  }
}
