package acme.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Works in every way at once until its input ends, and says whether all went well. For a line of
 * input it says when it has gone on for some rounds.
 */
public final class Busy {
  private static final AtomicLong ROUNDS = new AtomicLong();
  private static volatile Throwable failure;

  private Busy() {}

  public static void main(String[] args) throws Exception {
    Thread loop = new Thread(Busy::loop);
    loop.setDaemon(true);
    loop.start();
    moreRounds();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      moreRounds();
      System.out.println("went on");
    }
    moreRounds();
    if (failure != null) failure.printStackTrace();
    System.out.println(failure == null ? "fine" : "failed");
    System.exit(failure == null ? 0 : 1);
  }

  /** Three that end from now on are at least one that begins from now on. */
  private static void moreRounds() throws InterruptedException {
    long rounds = ROUNDS.get();
    while (failure == null && ROUNDS.get() < rounds + 3) Thread.sleep(1);
  }

  private static void loop() {
    try (ExecutorService pool = Executors.newFixedThreadPool(2);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      while (true) {
        round(pool, virtual);
        ROUNDS.incrementAndGet();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  static void round(ExecutorService pool, ExecutorService virtual) throws Exception {
    var one = pool.submit(Busy::step);
    var two = virtual.submit(Busy::step);
    int sum = CompletableFuture.supplyAsync(Busy::step).thenApplyAsync(n -> n + step()).join();
    sum += IntStream.range(0, 8).parallel().map(_ -> step()).sum();
    if (one.get() + two.get() + sum != 12) throw new AssertionError("wrong sum");
  }

  static int step() {
    return Engine.spin(50) == 0 ? 0 : 1;
  }
}
