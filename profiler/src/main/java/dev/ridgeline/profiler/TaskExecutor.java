package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An executor service whose tasks are recorded where they were handed over. */
record TaskExecutor(ExecutorService pool) implements ExecutorService {
  @Override
  public void execute(Runnable work) {
    pool.execute(Profiler.task(work));
  }

  @Override
  public <T> Future<T> submit(Callable<T> work) {
    return pool.submit(Profiler.task(work));
  }

  @Override
  public <T> Future<T> submit(Runnable work, T result) {
    return pool.submit(Profiler.task(work), result);
  }

  @Override
  public Future<?> submit(Runnable work) {
    return pool.submit(Profiler.task(work));
  }

  @Override
  public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> work)
      throws InterruptedException {
    return pool.invokeAll(tasks(work));
  }

  @Override
  public <T> List<Future<T>> invokeAll(
      Collection<? extends Callable<T>> work, long timeout, TimeUnit unit)
      throws InterruptedException {
    return pool.invokeAll(tasks(work), timeout, unit);
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> work)
      throws InterruptedException, ExecutionException {
    return pool.invokeAny(tasks(work));
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> work, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return pool.invokeAny(tasks(work), timeout, unit);
  }

  private static <T> List<Callable<T>> tasks(Collection<? extends Callable<T>> work) {
    List<Callable<T>> tasks = new ArrayList<>(work.size());
    for (Callable<T> one : work) tasks.add(Profiler.task(one));
    return tasks;
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
