package acme.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A program that hands its work to other threads, in the way its argument says. */
public final class Tasks {
  private Tasks() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "submit" -> submit();
      case "execute" -> execute();
      case "same" -> sameTask();
      case "invokeAll" -> invokeAll();
      case "schedule" -> schedule();
      case "forkJoin" -> forkJoin();
      case "forkJoinSubmit" -> forkJoinSubmit();
      case "completable" -> completable();
      case "completablePool" -> completablePool();
      case "stream" -> stream();
      case "virtualExecutor" -> virtualExecutor();
      case "virtualThread" -> virtualThread();
      case "platformThread" -> platformThread();
      case "chain" -> chain();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  static int leaf() {
    return Engine.spin(1_000);
  }

  static void submit() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> futures = new ArrayList<>();
      for (int i = 0; i < 20; i++) futures.add(pool.submit(Tasks::leaf));
      for (Future<Integer> future : futures) future.get();
    }
  }

  static void execute() {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 20; i++) {
        int n = i;
        pool.execute(() -> Engine.spin(n + leaf()));
      }
    }
  }

  /** One object, given many times: each time is a task. */
  static void sameTask() {
    Runnable task = Tasks::leaf;
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 20; i++) pool.execute(task);
    }
  }

  static void invokeAll() throws Exception {
    try (ExecutorService pool = Executors.newCachedThreadPool()) {
      pool.invokeAll(List.of(Tasks::leaf, Tasks::leaf, Tasks::leaf));
    }
  }

  static void schedule() throws Exception {
    try (var pool = Executors.newScheduledThreadPool(1)) {
      for (int i = 0; i < 5; i++) pool.schedule(Tasks::leaf, 1, TimeUnit.MILLISECONDS).get();
    }
  }

  /** Eight leaves: seven forks, the rest is done in place. */
  static void forkJoin() {
    ForkJoinPool.commonPool().invoke(new Halves(8));
  }

  private static final class Halves extends RecursiveAction {
    private final int size;

    Halves(int size) {
      this.size = size;
    }

    @Override
    protected void compute() {
      if (size == 1) {
        leaf();
        return;
      }
      Halves left = new Halves(size / 2);
      left.fork();
      new Halves(size - size / 2).compute();
      left.join();
    }
  }

  static void forkJoinSubmit() throws Exception {
    try (ForkJoinPool pool = new ForkJoinPool(2)) {
      for (int i = 0; i < 10; i++) pool.submit(Tasks::leaf).get();
    }
  }

  static void completable() {
    for (int i = 0; i < 10; i++) {
      CompletableFuture.supplyAsync(Tasks::leaf)
          .thenApplyAsync(n -> n + leaf())
          .thenCombineAsync(CompletableFuture.supplyAsync(Tasks::leaf), Integer::sum)
          .thenAcceptAsync(_ -> leaf())
          .join();
    }
  }

  static void completablePool() {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 10; i++) {
        CompletableFuture.supplyAsync(Tasks::leaf, pool)
            .thenApplyAsync(n -> n + leaf(), pool)
            .join();
      }
    }
  }

  static void stream() {
    IntStream.range(0, 1_000).parallel().forEach(_ -> leaf());
  }

  static void virtualExecutor() {
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        pool.submit(
            () -> {
              // Parks, so that another carrier may go on with it.
              Thread.sleep(1);
              return leaf();
            });
      }
    }
  }

  static void virtualThread() throws InterruptedException {
    for (int i = 0; i < 5; i++) Thread.ofVirtual().start(Tasks::leaf).join();
    for (int i = 0; i < 5; i++) Thread.startVirtualThread(Tasks::leaf).join();
  }

  static void platformThread() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      Thread thread = new Thread(Tasks::leaf);
      thread.start();
      thread.join();
    }
    for (int i = 0; i < 5; i++) Thread.ofPlatform().start(Tasks::leaf).join();
  }

  /** A task that gives the next task, a thousand times: the tree must not become that deep. */
  static void chain() throws InterruptedException {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      var done = new CountDownLatch(1);
      step(pool, 1_000, done);
      done.await();
    }
  }

  static void step(Executor pool, int left, CountDownLatch done) {
    if (left == 0) done.countDown();
    else pool.execute(() -> step(pool, left - 1, done));
  }
}
