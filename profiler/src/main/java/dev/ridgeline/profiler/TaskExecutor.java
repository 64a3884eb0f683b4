package dev.ridgeline.profiler;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor service whose tasks are recorded where they were handed over. */
final class TaskExecutor extends AbstractExecutorService {
  private final ExecutorService pool;

  TaskExecutor(ExecutorService pool) {
    this.pool = pool;
  }

  /** Every other way to hand a task over ends here. */
  @Override
  public void execute(Runnable work) {
    pool.execute(Profiler.task(work));
  }

  @Override
  public void shutdown() {
    pool.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return pool.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return pool.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return pool.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return pool.awaitTermination(timeout, unit);
  }
}
