package dev.ridgeline.lab.roofline;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that carry a load each, all at once, and the rate they reach together.
 *
 * <p>Work goes on in short windows that all threads begin together and that last until the last one
 * is done. The best window counts: a roof is what the machine can do, and whatever else ran on it
 * meanwhile made the other windows slower, never this one faster. Where others had the cores in
 * every window, there are more of them.
 *
 * <p>Not the process' {@code Workers}: those take parts as they come, and here each thread must
 * have its own.
 */
final class Team {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean TELLS_CPU_TIME = THREADS.isCurrentThreadCpuTimeSupported();

  private static final int SPINS = 2000;

  /** How often to try for a window without others. */
  private static final int TRIES = 4;

  /** Of a core, in a window that nobody else disturbed. */
  private static final double UNDISTURBED = 0.97;

  private final List<? extends Load> loads;
  private final int pieces;

  /** As many threads as loads, the caller's included. */
  Team(List<? extends Load> loads, long windowNanos) {
    this.loads = loads;
    this.pieces = Math.max(loads.getFirst().fewest(), pieces(loads.getFirst(), windowNanos));
  }

  /** Runs it alone for a window, which also brings code and clock rate up to speed. */
  private static int pieces(Load load, long windowNanos) {
    long begin = System.nanoTime();
    long fastest = Long.MAX_VALUE;
    for (long before = begin, now; before - begin < windowNanos; before = now) {
      load.run();
      now = System.nanoTime();
      fastest = Math.min(fastest, now - before);
    }
    return (int) Math.clamp(windowNanos / Math.max(1, fastest), 1, 1 << 20);
  }

  /**
   * What was reached.
   *
   * @param rate operations or bytes a second in the best window
   * @param undisturbed whether there was a window in which the threads had their cores
   */
  record Reached(double rate, boolean undisturbed) {
    /** The faster of two ways to do the same; either without others is enough. */
    Reached or(Reached other) {
      return new Reached(Math.max(rate, other.rate), undisturbed || other.undisturbed);
    }
  }

  /** The best of some windows. */
  Reached best(int windows) {
    double amount = 0;
    for (Load load : loads) amount += pieces * load.amount();
    double best = 0;
    boolean undisturbed = false;
    for (int i = 0; i < TRIES && !undisturbed; i++) {
      for (Window window : windows(windows)) {
        best = Math.max(best, amount / Math.max(1, window.nanos()) * 1e9);
        undisturbed |= window.undisturbed();
      }
    }
    return new Reached(best, undisturbed);
  }

  /** What each thread saw of a window: when it began and ended, and the CPU time it had. */
  private record Window(long[] begins, long[] ends, long[] cpu) {
    Window(int threads) {
      this(new long[threads], new long[threads], new long[threads]);
    }

    long nanos() {
      long begin = begins[0];
      long end = ends[0];
      for (long each : begins) begin = Math.min(begin, each);
      for (long each : ends) end = Math.max(end, each);
      return end - begin;
    }

    boolean undisturbed() {
      for (long each : cpu) if (TELLS_CPU_TIME && each < UNDISTURBED * nanos()) return false;
      return true;
    }
  }

  private Window[] windows(int count) {
    int threads = loads.size();
    Window[] windows = new Window[count];
    for (int i = 0; i < count; i++) windows[i] = new Window(threads);
    var arrived = new AtomicInteger();
    var failure = new AtomicReference<RuntimeException>();
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      int member = i;
      Runnable work = () -> carry(member, windows, arrived, failure);
      others.add(Thread.ofPlatform().daemon().name("ceilings-" + i).start(work));
    }
    carry(0, windows, arrived, failure);
    for (Thread other : others) join(other);
    if (failure.get() != null) throw failure.get();
    return windows;
  }

  private void carry(
      int member,
      Window[] windows,
      AtomicInteger arrived,
      AtomicReference<RuntimeException> failure) {
    Load load = loads.get(member);
    for (int i = 0; i < windows.length; i++) {
      together(arrived, (i + 1) * loads.size());
      long cpu = TELLS_CPU_TIME ? THREADS.getCurrentThreadCpuTime() : 0;
      windows[i].begins[member] = System.nanoTime();
      try {
        for (int piece = 0; piece < pieces; piece++) load.run();
      } catch (RuntimeException e) {
        failure.compareAndSet(null, e); // and on, since the others wait for this one
      }
      windows[i].ends[member] = System.nanoTime();
      windows[i].cpu[member] = TELLS_CPU_TIME ? THREADS.getCurrentThreadCpuTime() - cpu : 0;
    }
  }

  /** Waits for all, awake: a thread that sleeps begins too late, on a core that has cooled down. */
  private static void together(AtomicInteger arrived, int all) {
    arrived.incrementAndGet();
    for (int spins = 0; arrived.get() < all; spins++) {
      if (spins < SPINS) Thread.onSpinWait();
      else Thread.yield();
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException _) {
        interrupted = true; // it uses memory that is about to be freed
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
