package dev.ridgeline.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Works on every kind of thread at once; tells on request how it is, and ends with 0 if well. */
public final class BusyProgram {
  private static final AtomicLong ROUNDS = new AtomicLong();
  private static volatile Throwable failure;

  private BusyProgram() {}

  public static void main(String[] args) throws Exception {
    Thread.ofPlatform().daemon().start(BusyProgram::loop);
    var in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); "tell".equals(line); line = in.readLine()) {
      System.out.println(tell());
    }
    if (failure != null) failure.printStackTrace();
    System.exit(failure == null ? 0 : 1);
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
    Future<Integer> one = pool.submit(BusyProgram::step);
    Future<Integer> two = virtual.submit(BusyProgram::step);
    int sum =
        CompletableFuture.supplyAsync(BusyProgram::step).thenApplyAsync(n -> n + step()).join();
    sum += IntStream.range(0, 8).parallel().map(_ -> step()).sum();
    if (one.get() + two.get() + sum != 12) throw new IllegalStateException("a step was lost");
  }

  static int step() {
    int x = 1;
    for (int i = 0; i < 1_000; i++) x = x * 31 + i;
    return x == 0 ? 0 : 1;
  }

  private static String tell() throws InterruptedException {
    long before = ROUNDS.get();
    long start = System.nanoTime();
    Thread.sleep(500);
    double rounds = (ROUNDS.get() - before) / ((System.nanoTime() - start) / 1e9);
    for (int i = 0; i < 3; i++) System.gc();
    long metaspace = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) metaspace = pool.getUsage().getUsed();
    }
    return String.format(
        Locale.ROOT,
        "%10.0f %9d %9d %14d %9d%s",
        rounds,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024,
        metaspace / 1024,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        failure == null ? "" : " FAILED " + failure);
  }
}
