package dev.ridgeline.tensor;

/**
 * The threads that work is spread over: the caller's own, and those of the one pool that a process
 * has.
 *
 * <p>Work is a number of units, cut into parts of about equal cost that threads take as they come.
 * Who takes which part is a matter of timing, so a task's result must not depend on it.
 *
 * <p>Assumptions: tasks do not wait for each other. Guarantees: {@link #run} returns when every
 * part is done; an exception of a part reaches the caller, once no thread is at work any more, and
 * parts that nobody had begun are left out. Work handed over from inside a task, or while another
 * caller has the pool, runs on its caller's thread alone. Nothing is allocated. Progress: the
 * caller takes parts like any worker, so work gets done even when no worker ever wakes.
 */
public final class Workers {
  /** Parts per thread: enough to even out, few enough to cost nothing. */
  private static final int PARTS_PER_THREAD = 16;

  /** Work that a part should have at least, in operations: some 5 µs, five times a hand-over. */
  private static final long PART_COST = 1 << 18;

  private final int count;
  private final long partCost;

  private Workers(int count, long partCost) {
    this.count = count;
    this.partCost = partCost;
  }

  /** Work that can be cut into parts. */
  public interface Task {
    /**
     * Does units {@code from} to {@code to − 1}.
     *
     * @param worker from 0 to one less than the count of workers; nobody else has it meanwhile
     */
    void run(int worker, int from, int to);

    /**
     * Whether all units together are the work that the operation around them has declared: threads
     * then tell what part of it they did.
     */
    default boolean isTheWork() {
      return false;
    }

    /** The first unit of a part, so that parts cost about the same. */
    default int first(int part, int parts, int units) {
      return (int) ((long) units * part / parts);
    }
  }

  /** So many threads, the caller's included; more than there are CPUs only if asked. */
  public static Workers of(int count) {
    if (count < 1) throw new IllegalArgumentException("%d workers: at least 1".formatted(count));
    if (count > WorkerPool.MOST) {
      throw new IllegalArgumentException(
          "%d workers: at most %d".formatted(count, WorkerPool.MOST));
    }
    return new Workers(count, PART_COST);
  }

  /** The same threads, for parts that are worth handing over from another cost on. */
  public Workers partsOf(long cost) {
    if (cost < 1) throw new IllegalArgumentException("parts of cost %d".formatted(cost));
    return new Workers(count, cost);
  }

  /** CPUs that this process may use. */
  public static int cpus() {
    return Math.min(Runtime.getRuntime().availableProcessors(), WorkerPool.MOST);
  }

  /** Threads, the caller's included. */
  public int count() {
    return count;
  }

  /** Does all units; small work on the caller's thread alone. */
  public void run(Task task, int units, long costPerUnit) {
    if (units <= 0) return;
    run(task, units, parts(units, costPerUnit), count);
  }

  /** Does all units, each of them a part: for units as large as whole texts. */
  public void each(Task task, int units) {
    if (units <= 0) return;
    run(task, units, units, count);
  }

  private int parts(int units, long costPerUnit) {
    if (count == 1) return 1;
    long most = Math.min(units, (long) count * PARTS_PER_THREAD);
    // Not units · cost, which may overflow.
    double worth = (double) units * costPerUnit / partCost;
    return (int) Math.max(1, Math.min(most, worth));
  }

  private static void run(Task task, int units, int parts, int count) {
    WorkerPool pool = WorkerPool.SHARED;
    if (parts > 1 && count > 1 && pool.take(count)) {
      try {
        pool.spread(task, units, parts, Math.min(count, parts));
      } finally {
        pool.leave();
      }
    } else {
      for (int part = 0; part < parts; part++) {
        task.run(0, task.first(part, parts, units), task.first(part + 1, parts, units));
      }
    }
  }
}
