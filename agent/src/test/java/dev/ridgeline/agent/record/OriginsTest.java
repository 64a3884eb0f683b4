package dev.ridgeline.agent.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Handover;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OriginsTest {
  private static Handover here;
  private static Handover there;

  @BeforeAll
  static void openTwoScopes() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    try (var _ = Profiler.scope(Scope.of("here"))) {
      here = Profiler.handover();
    }
    try (var _ = Profiler.scope(Scope.of("there"))) {
      there = Profiler.handover();
    }
  }

  @AfterAll
  static void stop() {
    Profiler.stop();
  }

  @Test
  void aTaskIsTakenAsOftenAsItWasGiven() {
    Origins origins = new Origins();
    Object task = new Object();
    for (int i = 0; i < 3; i++) origins.put(task, here);
    for (int i = 0; i < 3; i++) assertThat(origins.take(task)).isSameAs(here);
    assertThat(origins.take(task)).isNull();
    assertThat(origins.size()).isZero();
  }

  @Test
  void equalTasksAreTwoTasks() {
    Origins origins = new Origins();
    String one = new String("task");
    String other = new String("task");
    origins.put(one, here);
    assertThat(origins.take(other)).isNull();
    assertThat(origins.take(one)).isSameAs(here);
  }

  @Test
  void whatIsKnownIsKeptWhenAsked() {
    Origins origins = new Origins();
    Object task = new Object();
    origins.put(task, here);
    origins.putIfAbsent(task, there);
    assertThat(origins.take(task)).isSameAs(here);
    assertThat(origins.take(task)).isNull();
  }

  @Test
  void aTaskThatNobodyTakesIsNotHeld() throws InterruptedException {
    Origins origins = new Origins();
    for (int i = 0; i < 1_000; i++) origins.put(new Object(), here);
    for (int i = 0; i < 200 && origins.size() > 0; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(origins.size()).isZero();
  }

  @Test
  void itBehavesAsAnIdentityMapWithCounts() {
    long seed = 42;
    Random random = new Random(seed);
    Origins origins = new Origins();
    Map<Object, Integer> model = new IdentityHashMap<>();
    List<Object> tasks = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) tasks.add(new Object());
    for (int i = 0; i < 50_000; i++) {
      Object task = tasks.get(random.nextInt(tasks.size()));
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          origins.put(task, here);
          model.merge(task, 1, Integer::sum);
        }
        case 2 -> {
          boolean known = model.containsKey(task);
          assertThat(origins.take(task) != null).as("seed " + seed).isEqualTo(known);
          model.computeIfPresent(task, (_, n) -> n == 1 ? null : n - 1);
        }
        default -> {
          origins.forget(task);
          model.remove(task);
        }
      }
    }
    assertThat(origins.size()).isEqualTo(model.size());
  }

  @Test
  void threadsDoNotLoseEachOthersTasks() throws InterruptedException {
    Origins origins = new Origins();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  Object task = new Object();
                  origins.put(task, here);
                  assertThat(origins.take(task)).isSameAs(here);
                }
              });
      thread.setUncaughtExceptionHandler((_, e) -> failures.add(e));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    assertThat(failures).isEmpty();
  }
}
