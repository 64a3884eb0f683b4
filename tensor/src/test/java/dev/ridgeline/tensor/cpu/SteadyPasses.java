package dev.ridgeline.tensor.cpu;

import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.cpu.Fixture.Family;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.lang.Thread.State;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As a program: runs whole passes at every level of the profiler, on one thread, and says what they
 * allocate. That work is handed over without allocating is a case of its own, in which every thread
 * does a part.
 */
final class SteadyPasses {
  private static final Scope PART = Scope.of("part");
  private static final int[][] LENGTHS = {{5, 1, 40}, {17}, {3, 3, 3, 3, 60}};
  private static final int WORKERS = 3;

  private SteadyPasses() {}

  public static void main(String[] args) {
    for (Level level : List.of(Level.OFF, Level.TIME, Level.ALLOCATION)) {
      for (Family family : List.of(Family.CHOSEN, Family.NARROW)) {
        try (Fixture play = new Fixture(family, 1, 5)) {
          count("forward " + family + " " + level, level, forward(play));
        }
      }
      try (Fixture play = new Fixture(Family.CHOSEN, 1, 5)) {
        count("backward " + level, level, backward(play));
      }
      try (Fixture play = new Fixture(inFiles(), 3)) {
        count("matrix in its file " + level, level, product(play, 5));
      }
      try (Fixture play = new Fixture(sharing(), 3)) {
        count("rows for all workers " + level, level, product(play, 12));
      }
      count("handed over " + level, level, handedOver());
    }
  }

  private interface Pass {
    void run(int number);
  }

  private static Pass forward(Fixture play) {
    int[] tokens = new Random(2).ints(80, 0, 100).toArray();
    var encoder = new Encoder(play, 80, 60);
    return number -> encoder.run(play.ops, tokens, LENGTHS[number]);
  }

  private static Pass backward(Fixture play) {
    var trainer = new Trainer(play);
    var gradients = play.keep(new Gradients(trainer, 50, new int[] {5, 1, 9}));
    return _ -> gradients.run(trainer.grad);
  }

  private static Device inFiles() {
    return StoredMatrixTest.device(KernelChoice.made().kernels(), 1, false);
  }

  /** So many workers that they share rows, for parts so large that one does it all. */
  private static Device sharing() {
    return new CpuDevice(KernelChoice.made().kernels(), Workers.of(4), null);
  }

  private static Pass product(Fixture play, int rows) {
    GgufTensor stored = play.stored(TensorType.Q8_0, 40, 256, play.numbers(40 * 256));
    Tensor matrix = play.weights(stored, Layout.MATRIX);
    Tensor x = play.filled(rows, 256);
    Tensor out = play.empty(rows, 40);
    return _ -> play.ops.matmul(out, x, matrix, null);
  }

  /** A part ends when every thread has begun one, and the caller's before the others. */
  private static Pass handedOver() {
    var workers = Workers.of(WORKERS);
    var begun = new AtomicInteger();
    Thread caller = Thread.currentThread();
    Workers.Task task =
        (_, _, _) -> {
          try (var _ = Profiler.scope(PART)) {
            int all = begun.getAndIncrement() / WORKERS * WORKERS + WORKERS;
            while (begun.get() < all) Thread.yield();
            while (Thread.currentThread() != caller && caller.getState() == State.RUNNABLE) {
              Thread.yield();
            }
          }
        };
    return _ -> workers.each(task, WORKERS);
  }

  private static void count(String what, Level level, Pass pass) {
    Profiler.start(Options.of(level).withoutCalibration());
    Allocated.again(
        what,
        () -> {
          for (int i = 0; i < LENGTHS.length; i++) pass.run(i);
        });
    Slips slips = Profiler.stop().slips();
    if (!slips.equals(Slips.NONE)) throw new IllegalStateException(what + ": " + slips);
  }
}
