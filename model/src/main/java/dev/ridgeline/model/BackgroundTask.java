package dev.ridgeline.model;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Something that is made on a thread of its own until it is wanted: a tokenizer, while the weights
 * are packed. On a machine with two cores that is a fifth of a start.
 */
final class BackgroundTask<T> {
  private final FutureTask<T> task;

  private BackgroundTask(Supplier<T> maker) {
    task = new FutureTask<>(maker::get);
  }

  static <T> BackgroundTask<T> of(String name, Supplier<T> maker) {
    BackgroundTask<T> background = new BackgroundTask<>(maker);
    Thread.ofPlatform().daemon().name("ridgeline-" + name).start(background.task);
    return background;
  }

  /** What was made, or the exception that kept it from that; an interrupt ends no wait. */
  T get() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof Error error) throw error;
          throw (RuntimeException) e.getCause();
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /** Waits until nothing of it is at work any more, however it ended. */
  void settle() {
    try {
      get();
    } catch (RuntimeException | Error e) {
      // Whoever wants it hears of it.
    }
  }
}
