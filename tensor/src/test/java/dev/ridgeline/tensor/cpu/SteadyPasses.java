package dev.ridgeline.tensor.cpu;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.cpu.Fixture.Family;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * As a program: runs whole passes of every family, at every level of the profiler, and says what
 * all threads allocated once each pass had run a few times.
 */
final class SteadyPasses {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Every length that is then counted, and workers in another order each time. */
  private static final int BEFORE = 9;

  private static final int COUNTED = 9;

  private SteadyPasses() {}

  public static void main(String[] args) {
    for (Family family : List.of(Family.CHOSEN, Family.NARROW)) {
      for (Level level : List.of(Level.OFF, Level.TIME, Level.ALLOCATION)) {
        try (Fixture play = new Fixture(family, 3, 5)) {
          String what = args[0] + " " + family + " " + level;
          if (args[0].equals("forward")) count(what, level, forward(play));
          else count(what, level, backward(play));
        }
      }
    }
  }

  private interface Pass {
    void run(int number);
  }

  private static Pass forward(Fixture play) {
    int[][] lengths = {{5, 1, 40}, {17}, {3, 3, 3, 3, 60}};
    int[] tokens = new Random(2).ints(80, 0, 100).toArray();
    var encoder = new Encoder(play, 80, 60);
    return number -> encoder.run(play.ops, tokens, lengths[number % 3]);
  }

  private static Pass backward(Fixture play) {
    var trainer = new Trainer(play);
    var gradients = play.keep(new Gradients(trainer, 50, new int[] {5, 1, 9}));
    return _ -> gradients.run(trainer.grad);
  }

  private static void count(String what, Level level, Pass pass) {
    Profiler.start(Options.of(level).withoutCalibration());
    for (int i = 0; i < BEFORE; i++) pass.run(i);
    long[] threads = threads();
    allocated(threads);
    long before = allocated(threads);
    for (int i = 0; i < COUNTED; i++) pass.run(i);
    long bytes = allocated(threads) - before;
    Slips slips = Profiler.stop().slips();
    if (!slips.equals(Slips.NONE)) throw new IllegalStateException(what + ": " + slips);
    System.out.println(what + ": " + bytes + " bytes");
  }

  /** This thread and all of the pool. */
  private static long[] threads() {
    return LongStream.concat(
            LongStream.of(Thread.currentThread().threadId()),
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ridgeline-worker"))
                .mapToLong(Thread::threadId))
        .toArray();
  }

  private static long allocated(long[] threads) {
    long own = Thread.currentThread().threadId();
    long sum = 0;
    for (long thread : threads) {
      sum +=
          thread == own
              ? THREADS.getCurrentThreadAllocatedBytes()
              : THREADS.getThreadAllocatedBytes(thread);
    }
    return sum;
  }
}
