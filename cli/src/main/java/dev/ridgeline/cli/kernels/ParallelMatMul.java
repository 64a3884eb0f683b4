package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Handover;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A matrix product whose rows are split into one band per thread; the calling thread takes one.
 *
 * <p>Handing a band over allocates a few hundred bytes per call; the arithmetic allocates nothing.
 */
final class ParallelMatMul implements Kernel {
  private static final Scope BAND = Scope.of("band");
  private static final Scope JOIN = Scope.of("join");

  private final String name;
  private final float[][] a;
  private final float[][] b;
  private final float[][] c;
  private final int threads;
  private final ExecutorService pool;

  ParallelMatMul(int size, int threads, long seed) {
    this.name = "matmul " + size + " parallel";
    Data data = new Data(name, seed);
    this.a = data.rows(size, size, 1);
    this.b = data.rows(size, size, 1);
    this.c = new float[size][size];
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            Math.max(1, threads - 1), Thread.ofPlatform().daemon().name("kernel-", 1).factory());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    return a.length
        + "×"
        + b.length
        + " @ "
        + b.length
        + "×"
        + c[0].length
        + ", "
        + threads
        + (threads == 1 ? " thread" : " threads");
  }

  @Override
  public Work work() {
    return MatMul.work(a.length, b.length, c[0].length);
  }

  @Override
  public void run() {
    Handover from = Profiler.handover();
    CountDownLatch done = new CountDownLatch(threads - 1);
    for (int t = 1; t < threads; t++) {
      int band = t;
      pool.execute(
          () -> {
            band(from, band);
            done.countDown();
          });
    }
    band(from, 0);
    try (var _ = Profiler.scope(JOIN)) {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Not {@link Profiler#task}, because a band declares its work in the frame of its task. */
  private void band(Handover from, int band) {
    int first = band * a.length / threads;
    int last = (band + 1) * a.length / threads;
    try (var frame = Profiler.enter(from, BAND)) {
      MatMul.multiply(a, b, c, first, last);
      Work work = MatMul.work(last - first, b.length, c[0].length);
      frame.work(work.bytes(), work.flops());
    }
  }

  int threads() {
    return threads;
  }

  /** The kernel that does the same on one thread. */
  String alone() {
    return "matmul " + a.length;
  }

  @Override
  public float[][] output() {
    return c;
  }

  @Override
  public Reference reference(int row, int column) {
    return MatMul.reference(a, b, row, column);
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
