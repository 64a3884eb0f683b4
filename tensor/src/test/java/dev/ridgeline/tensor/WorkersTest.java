package dev.ridgeline.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Every unit is done exactly once, whoever does it. */
class WorkersTest {
  /** Counts how often each unit was done. */
  private static final class Counting implements Workers.Task {
    final AtomicIntegerArray done;
    final Set<Integer> workers = ConcurrentHashMap.newKeySet();

    Counting(int units) {
      done = new AtomicIntegerArray(units);
    }

    @Override
    public void run(int worker, int from, int to) {
      workers.add(worker);
      for (int i = from; i < to; i++) done.incrementAndGet(i);
    }

    void assertAllDone(int times) {
      for (int i = 0; i < done.length(); i++)
        assertThat(done.get(i)).as("unit %d", i).isEqualTo(times);
    }
  }

  @Test
  void everyUnitIsDoneOnceForAnyCount() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      int units = random.nextInt(0, 300);
      int workers = random.nextInt(1, 9);
      Counting task = new Counting(units);
      Workers.of(workers).partsOf(1).run(task, units, random.nextLong(1, Long.MAX_VALUE));
      task.assertAllDone(1);
      assertThat(task.workers).allMatch(w -> w >= 0 && w < workers);
    }
  }

  @Test
  void eachUnitCanBeAPart() {
    AtomicInteger parts = new AtomicInteger();
    Workers.of(3)
        .each(
            (_, from, to) -> {
              assertThat(to - from).isEqualTo(1);
              parts.incrementAndGet();
            },
            41);
    assertThat(parts).hasValue(41);
  }

  @Test
  void smallWorkStaysWithItsCaller() {
    Thread caller = Thread.currentThread();
    Workers.of(8).run((_, _, _) -> assertThat(Thread.currentThread()).isSameAs(caller), 100, 10);
  }

  @Test
  void hundredThousandTinyRegionsAllEnd() {
    Workers workers = Workers.of(3).partsOf(1);
    Counting task = new Counting(7);
    for (int i = 0; i < 100_000; i++) workers.run(task, 7, 1);
    task.assertAllDone(100_000);
  }

  @Test
  void workersWakeFromSleep() throws Exception {
    Workers workers = Workers.of(2).partsOf(1);
    for (int i = 0; i < 20; i++) {
      Thread.sleep(2);
      // Both have to be there at once: a worker that slept through it would hang the test.
      CountDownLatch both = new CountDownLatch(2);
      workers.each(
          (_, _, _) -> {
            both.countDown();
            try {
              both.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          },
          2);
    }
  }

  @Test
  void callersAtOnceDoNotMix() throws Exception {
    List<Thread> callers = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int c = 0; c < 4; c++) {
      int seed = c;
      Thread caller =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    try {
                      Random random = new Random(seed);
                      Workers workers = Workers.of(2 + seed).partsOf(1);
                      for (int i = 0; i < 5_000; i++) {
                        int units = random.nextInt(1, 40);
                        Counting task = new Counting(units);
                        workers.run(task, units, 1);
                        task.assertAllDone(1);
                      }
                    } catch (Throwable e) {
                      failures.add(e);
                    }
                  });
      caller.start();
      callers.add(caller);
    }
    for (Thread caller : callers) caller.join();
    assertThat(failures).isEmpty();
  }

  @Test
  void virtualThreadsMayCall() throws Exception {
    Counting task = new Counting(1_000);
    Thread.ofVirtual().start(() -> Workers.of(3).partsOf(1).run(task, 1_000, 1)).join();
    task.assertAllDone(1);
  }

  @Test
  void workInsideATaskRunsOnItsThreadAlone() {
    Workers workers = Workers.of(3).partsOf(1);
    Counting inner = new Counting(50);
    workers.each(
        (_, _, _) -> {
          Thread here = Thread.currentThread();
          workers.run(
              (worker, from, to) -> {
                assertThat(Thread.currentThread()).isSameAs(here);
                assertThat(worker).isZero();
                inner.run(worker, from, to);
              },
              50,
              1);
        },
        10);
    inner.assertAllDone(10);
  }

  @Test
  void anExceptionReachesTheCallerAndThePoolSurvives() {
    Workers workers = Workers.of(4).partsOf(1);
    for (int round = 0; round < 2_000; round++) {
      int bad = round % 16;
      assertThatThrownBy(
              () ->
                  workers.each(
                      (_, from, _) -> {
                        if (from == bad) throw new IllegalStateException("unit " + from);
                      },
                      16))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("unit " + bad);
      Counting task = new Counting(16);
      workers.each(task, 16);
      task.assertAllDone(1);
    }
  }

  @Test
  void noPartRunsAfterTheCallReturned() {
    Workers workers = Workers.of(4).partsOf(1);
    AtomicInteger inside = new AtomicInteger();
    for (int round = 0; round < 5_000; round++) {
      boolean fails = round % 3 == 0;
      try {
        workers.each(
            (_, from, _) -> {
              inside.incrementAndGet();
              try {
                if (fails && from == 3) throw new IllegalStateException();
              } finally {
                inside.decrementAndGet();
              }
            },
            8);
      } catch (IllegalStateException _) {
        assertThat(fails).isTrue();
      }
      assertThat(inside).hasValue(0);
    }
  }

  @Test
  void anInterruptedCallerFinishesAndStaysInterrupted() {
    Workers workers = Workers.of(2).partsOf(1);
    Counting task = new Counting(64);
    Thread.currentThread().interrupt();
    workers.each(
        (worker, from, to) -> {
          long end = System.nanoTime() + 200_000;
          while (System.nanoTime() < end) Thread.onSpinWait();
          task.run(worker, from, to);
        },
        64);
    assertThat(Thread.interrupted()).isTrue();
    task.assertAllDone(1);
  }

  @Test
  void anInterruptedWorkerGoesOn() {
    Workers workers = Workers.of(3).partsOf(1);
    for (int i = 0; i < 200; i++) {
      Counting task = new Counting(30);
      workers.each(
          (worker, from, to) -> {
            if (worker > 0) Thread.currentThread().interrupt();
            task.run(worker, from, to);
          },
          30);
      task.assertAllDone(1);
    }
  }

  @Test
  void aBadCountIsRefused() {
    assertThatThrownBy(() -> Workers.of(0)).hasMessage("0 workers: at least 1");
    assertThatThrownBy(() -> Workers.of(5_000)).hasMessage("5000 workers: at most 1024");
  }
}
