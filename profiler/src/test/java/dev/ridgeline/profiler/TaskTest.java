package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work handed to other threads: one tree, thread time and wall time apart. */
class TaskTest {
  private static final Scope REGION = Scope.of("region");
  private static final Scope INNER = Scope.of("inner");
  private static final Scope STEP = Scope.of("step");
  private static final Scope NAMED = Scope.of("band");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private static void start(Level level) {
    Profiler.start(Options.of(level).withoutCalibration());
  }

  @Test
  void tasksStandUnderTheScopeThatHandedThemOver() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int call = 0; call < 3; call++) {
        try (var _ = Profiler.scope(REGION)) {
          CyclicBarrier both = new CyclicBarrier(2);
          List<Future<?>> done = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            done.add(
                pool.submit(
                    Profiler.task(
                        (Callable<Integer>)
                            () -> {
                              try (var _ = Profiler.scope(STEP)) {
                                return both.await();
                              }
                            })));
          }
          for (Future<?> one : done) one.get();
        }
      }
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    CallTree.Node task = tree.find("region", "task");
    assertThat(task.isTask()).isTrue();
    assertThat(task.calls()).isEqualTo(6);
    assertThat(tree.find("region", "task", "step").calls()).isEqualTo(6);
    Region region = tree.find("region").region();
    assertThat(region.tasks()).isEqualTo(6);
    assertThat(region.threads()).isEqualTo(2);
    assertThat(region.wallNanos()).isEqualTo(tree.find("region").totalNanos());
    assertThat(region.busyNanos()).isEqualTo(task.totalNanos());
    assertThat(region.imbalance()).isBetween(1.0, 2.0);
    // Waiting is the region's own time: its tasks ran elsewhere.
    assertThat(tree.find("region").selfNanos()).isEqualTo(tree.find("region").totalNanos());
    assertThat(tree.root().threadNanos()).isEqualTo(region.wallNanos() + region.busyNanos());
    SelfTimeTest.checkSums(profile, "tasks");
  }

  @Test
  void imbalanceIsOfEachCallSoThatStragglersWhoTakeTurnsShow() {
    Handover region = new Handover(null, Place.OUTSIDE, null, -1);
    Handover.Share a = region.newShare(0);
    Handover.Share b = region.newShare(1);
    long now = 1_000_000;
    for (int call = 0; call < 10; call++) {
      int instance = a.begin(now);
      assertThat(b.begin(now)).isEqualTo(instance);
      assertThat(a.end(instance, now, now + (call % 2 == 0 ? 100 : 300))).isTrue();
      assertThat(b.end(instance, now, now + (call % 2 == 0 ? 300 : 100))).isTrue();
      region.endInstance(now, now += 400);
    }
    assertThat(region.regions).isEqualTo(10);
    assertThat((double) region.unevenNanos / region.wallNanos).isEqualTo(1.5);
  }

  @Test
  void callsSpeakForTheirTimeNotForTheirNumber() {
    Handover region = new Handover(null, Place.OUTSIDE, null, -1);
    Handover.Share a = region.newShare(0);
    Handover.Share b = region.newShare(1);
    long now = 1_000_000;
    for (int call = 0; call < 10; call++) {
      // One long call on two threads, nine short ones on one.
      long wall = call == 0 ? 9_100 : 100;
      int instance = a.begin(now);
      assertThat(a.end(instance, now, now + wall)).isTrue();
      if (call == 0) {
        assertThat(b.begin(now)).isEqualTo(instance);
        assertThat(b.end(instance, now, now + wall)).isTrue();
      }
      region.endInstance(now, now += wall);
    }
    assertThat(region.wallNanos).isEqualTo(10_000);
    assertThat(region.offeredNanos).as("all of it used").isEqualTo(19_100);
    assertThat(region.usedNanos).isEqualTo(19_100);
    assertThat(region.unevenNanos).isEqualTo(10_000);
  }

  @Test
  void noMoreIsUsedThanWasOfferedAndNothingIsMoreUnevenThanThereAreThreads() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Handover region = new Handover(null, Place.OUTSIDE, null, -1);
      Handover.Share[] shares = new Handover.Share[6];
      // Some lanes run tasks of two names, one inside the other or one after the other.
      for (int i = 0; i < shares.length; i++) shares[i] = region.newShare(random.nextInt(4));
      long now = 1_000_000;
      for (int call = 0; call < 8; call++) {
        long wall = 1 + random.nextInt(1_000);
        for (Handover.Share share : shares) {
          if (random.nextInt(3) == 0) continue;
          // Now and then one of the call before begins between the calls, and some go on.
          long begun = now - 20 + random.nextLong(wall + 20);
          int instance = share.begin(begun);
          if (random.nextInt(5) > 0) share.end(instance, begun, begun + random.nextLong(wall));
        }
        region.endInstance(now, now + wall);
        now += wall + random.nextInt(50);
      }
      if (region.regions == 0) continue;
      assertThat(region.usedNanos).as("seed %d", seed).isBetween(1L, region.offeredNanos);
      assertThat(region.unevenNanos)
          .as("seed %d", seed)
          .isBetween(region.wallNanos, region.offeredNanos);
      assertThat(region.maxNanos).as("seed %d", seed).isBetween(1L, region.wallNanos);
    }
  }

  @Test
  void threadsAtHandAreThoseOfOneCallAndOfOneTime() {
    Handover region = new Handover(null, Place.OUTSIDE, null, -1);
    long now = 1_000_000;
    for (int call = 0; call < 10; call++) {
      // Two threads of their own for each call; the third comes when the first has gone, and a
      // task of another name makes no thread two.
      for (int i = 0; i < 3; i++) {
        Handover.Share share = region.newShare(3 * call + i);
        long begun = i < 2 ? now : now + 100;
        int instance = share.begin(begun);
        assertThat(share.end(instance, begun, begun + (i == 1 ? 200 : 100))).isTrue();
      }
      Handover.Share named = region.newShare(3 * call + 1);
      int instance = named.begin(now + 50);
      assertThat(named.end(instance, now + 50, now + 150)).isTrue();
      region.endInstance(now, now += 400);
    }
    assertThat(region.regions).isEqualTo(10);
    assertThat(region.offeredNanos).isEqualTo(2 * region.wallNanos);
  }

  @Test
  void aPoolForEachCallHasItsOwnThreadsAtHandAlone() throws Exception {
    start(Level.TIME);
    for (int call = 0; call < 5; call++) {
      try (var _ = Profiler.scope(REGION);
          ExecutorService pool = Executors.newFixedThreadPool(2)) {
        CyclicBarrier both = new CyclicBarrier(2);
        for (int i = 0; i < 2; i++) {
          pool.submit(Profiler.task((Callable<Integer>) both::await));
        }
      }
    }
    Region region = Profiler.stop().tree().find("region").region();
    assertThat(region.threads()).isEqualTo(10);
    assertThat(region.atOnce()).isEqualTo(2);
    assertThat(region.use()).isEqualTo(region.busyNanos() / (2.0 * region.wallNanos()));
  }

  @Test
  void aTaskStillOpenAtTheEndOfItsRegionCountsUpToThere() {
    Handover region = new Handover(null, Place.OUTSIDE, null, -1);
    Handover.Share share = region.newShare(0);
    int begunIn = share.begin(100);
    region.endInstance(0, 300);
    assertThat(region.regions).isEqualTo(1);
    assertThat(region.maxNanos).isEqualTo(200);
    // A waiter has its result before the task's scope has closed: that is not late.
    assertThat(share.end(begunIn, 100, 1_000)).isTrue();
    assertThat(share.end(begunIn, 100, 19_000_000)).isTrue();
    assertThat(share.end(begunIn, 100, 21_000_000)).isFalse();
    region.endInstance(300, 30_000_000);
    assertThat(region.regions).isEqualTo(1);
  }

  @Test
  void aLongTaskMayEndALittleAfterItsRegion() {
    Handover region = new Handover(null, Place.OUTSIDE, null, -1);
    Handover.Share share = region.newShare(0);
    long second = 1_000_000_000;
    int begunIn = share.begin(second);
    region.endInstance(30_000_000, 2 * second);
    assertThat(share.end(begunIn, second, 2 * second + 99_000_000)).isTrue();
    assertThat(share.end(begunIn, second, 2 * second + 101_000_000)).isFalse();
  }

  @Test
  void aTaskThatOutlivesItsRegionIsCountedAsLate() throws Exception {
    start(Level.TIME);
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<?> late;
      CountDownLatch begun = new CountDownLatch(1);
      try (var _ = Profiler.scope(REGION)) {
        late =
            pool.submit(
                Profiler.task(
                    (Callable<Void>)
                        () -> {
                          begun.countDown();
                          go.await();
                          return null;
                        }));
        begun.await();
      }
      Thread.sleep(50);
      go.countDown();
      late.get();
    }
    Profile profile = Profiler.stop();
    assertThat(profile.slips().lateTasks()).isEqualTo(1);
    Region region = profile.tree().find("region").region();
    assertThat(region.tasks()).isEqualTo(1);
    assertThat(region.imbalance()).isEqualTo(1);
  }

  @Test
  void aThreadThatHelpsKeepsTheTaskUnderItsRegionAndItsTimesApart() {
    start(Level.TIME);
    try (var _ = Profiler.scope(REGION)) {
      Runnable task = Profiler.task(NAMED, () -> Profiler.scope(STEP).close());
      try (var _ = Profiler.scope(INNER)) {
        task.run();
      }
      task.run();
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    assertThat(tree.find("region", "band").calls()).isEqualTo(2);
    assertThat(tree.find("region", "band", "step").calls()).isEqualTo(2);
    assertThat(tree.find("region", "inner").children()).isEmpty();
    assertThat(tree.find("region", "inner").lentNanos()).isPositive();
    assertThat(tree.find("region").region().threads()).isEqualTo(1);
    SelfTimeTest.checkSums(profile, "helping");
  }

  @Test
  void nestedRegionsHaveTheirWholePath() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      try (var _ = Profiler.scope(REGION)) {
        pool.submit(
                Profiler.task(
                    (Callable<Void>)
                        () -> {
                          try (var _ = Profiler.scope(INNER)) {
                            pool.submit(Profiler.task(() -> Profiler.scope(STEP).close())).get();
                          }
                          return null;
                        }))
            .get();
      }
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("region", "task", "inner", "task", "step").calls()).isEqualTo(1);
    assertThat(tree.root().children()).hasSize(1);
  }

  @Test
  void executorsAndForkJoinCarryTheParent() throws Exception {
    start(Level.TIME);
    try (ForkJoinPool forkJoin = new ForkJoinPool(2);
        ExecutorService pool = Profiler.executor(Executors.newFixedThreadPool(2))) {
      try (var _ = Profiler.scope(REGION)) {
        pool.invokeAll(List.of(() -> 1, () -> 2, () -> 3));
        pool.submit(() -> Profiler.scope(STEP).close()).get();
        Executor plain = Profiler.executor((Executor) Runnable::run);
        plain.execute(() -> Profiler.scope(STEP).close());
        forkJoin.invoke(new Halves(8, Profiler.handover()));
      }
    }
    CallTree tree = Profiler.stop().tree();
    // 3 + 1 + 1 tasks of the executors, and 15 of the recursion, all under the one region.
    assertThat(tree.find("region", "task").calls()).isEqualTo(5 + 15);
    assertThat(tree.find("region", "task", "step").calls()).isEqualTo(2 + 8);
    assertThat(tree.root().children()).hasSize(1);
  }

  private static final class Halves extends RecursiveAction {
    private final int size;
    private final transient Handover from;

    Halves(int size, Handover from) {
      this.size = size;
      this.from = from;
    }

    @Override
    protected void compute() {
      try (var _ = Profiler.enter(from)) {
        if (size == 1) Profiler.scope(STEP).close();
        else invokeAll(new Halves(size / 2, from), new Halves(size / 2, from));
      }
    }
  }

  @Test
  void tenThousandVirtualThreadsLoseNothingAndLeakNothing() throws Exception {
    start(Level.ALLOCATION);
    int threads = 10_000;
    Semaphore inside = new Semaphore(50);
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      try (var _ = Profiler.scope(REGION)) {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Runnable task =
              Profiler.task(
                  () -> {
                    try (var _ = Profiler.scope(STEP)) {
                      Thread.yield();
                    }
                  });
          done.add(
              each.submit(
                  () -> {
                    inside.acquireUninterruptibly();
                    task.run();
                    inside.release();
                  }));
        }
        for (Future<?> one : done) one.get();
      }
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    assertThat(tree.find("region", "task").calls()).isEqualTo(threads);
    assertThat(tree.find("region", "task", "step").calls()).isEqualTo(threads);
    assertThat(tree.find("region").region().threads()).isEqualTo(threads);
    assertThat(tree.find("region", "task").allocatedBytes()).isEqualTo(Profile.UNKNOWN);
    assertThat(tree.find("region").allocatedBytes()).isPositive();
    // Only as many lanes as threads were inside a scope at once.
    long virtualLanes = profile.lanes().stream().filter(Profile.Lane::virtual).count();
    assertThat(virtualLanes).isBetween(1L, 50L);
    SelfTimeTest.checkSums(profile, "virtual");
  }

  @Test
  void moreVirtualThreadsThanLanesNeverMeetInOne() throws Exception {
    int threads = 20_000;
    for (int round = 0; round < 8; round++) {
      start(Level.TIME);
      try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < threads; i++) {
          boolean waits = round % 2 == 0;
          each.submit(
              () -> {
                try (var _ = Profiler.scope(REGION);
                    var _ = Profiler.scope(STEP)) {
                  if (waits) Thread.sleep(1);
                }
                return null;
              });
        }
      }
      Profile profile = Profiler.stop();
      assertThat(profile.slips()).as("round %d", round).isEqualTo(Profile.Slips.NONE);
      assertThat(profile.tree().nodes()).as("round %d", round).hasSize(2);
      assertThat(profile.tree().find("region").calls()).isEqualTo(threads);
      assertThat(profile.tree().find("region", "step").calls()).isEqualTo(threads);
    }
  }

  @Test
  void anExecutorWrappedTwiceCountsATaskOnce() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool =
        Profiler.executor(Profiler.executor(Executors.newSingleThreadExecutor()))) {
      pool.submit(() -> {}).get();
    }
    assertThat(Profiler.stop().tree().find("task").calls()).isEqualTo(1);
  }

  @Test
  void manyShortLivedThreadsShareLanes() throws Exception {
    start(Level.TIME);
    for (int i = 0; i < 400; i++) {
      Thread thread = new Thread(() -> Profiler.scope(STEP).close());
      thread.start();
      thread.join();
    }
    Profile profile = Profiler.stop();
    assertThat(profile.tree().find("step").calls()).isEqualTo(400);
    assertThat(profile.lanes()).hasSize(128);
    assertThat(profile.lanes().stream().mapToLong(Profile.Lane::threads).sum()).isEqualTo(400);
  }

  @Test
  void aTaskOfAnEarlierSessionBelongsToNone() {
    start(Level.TIME);
    Runnable old;
    try (var _ = Profiler.scope(REGION)) {
      old = Profiler.task(() -> Profiler.scope(STEP).close());
    }
    Profiler.stop();
    start(Level.TIME);
    old.run();
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.nodes().stream().map(CallTree.Node::path)).containsExactly(List.of("step"));
  }

  @Test
  void outsideASessionATaskIsTheWorkItself() {
    Runnable work = () -> {};
    assertThat(Profiler.task(work)).isSameAs(work);
  }

  @Test
  void tasksHandedOverOutsideOfEveryScopeStandAtTheTop() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      pool.submit(Profiler.task(() -> Profiler.scope(STEP).close())).get();
      pool.shutdown();
      assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("task").isTask()).isTrue();
    assertThat(tree.find("task", "step").calls()).isEqualTo(1);
  }

  @Test
  void twoThreadsWithTheSameScopesLoseNoCall() throws Exception {
    int calls = 1_000_000;
    start(Level.TIME);
    Runnable loop =
        () -> {
          for (int i = 0; i < calls; i++) {
            try (var _ = Profiler.scope(REGION);
                var _ = Profiler.scope(STEP)) {}
          }
        };
    Thread other = new Thread(loop, "other");
    other.start();
    loop.run();
    other.join();
    Profile profile = Profiler.stop();
    assertThat(profile.tree().find("region", "step").calls()).isEqualTo(2L * calls);
    assertThat(profile.lanes()).hasSize(2);
    assertThat(profile.lanes())
        .allSatisfy(lane -> assertThat(lane.nodes().get(0).time().calls()).isEqualTo(calls));
  }

  @Test
  void aTaskThatOpensNoScopePassesItsOwnPlaceOn() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      CountDownLatch done = new CountDownLatch(1);
      try (var _ = Profiler.scope(REGION)) {
        passOn(pool, 100, done);
        done.await();
      }
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("region", "task").calls()).isEqualTo(100);
    assertThat(tree.find("region", "task").children()).isEmpty();
  }

  private static void passOn(Executor pool, int left, CountDownLatch done) {
    if (left == 0) {
      done.countDown();
      return;
    }
    Handover from = Profiler.passOn();
    pool.execute(
        () -> {
          try (var _ = Profiler.enter(from)) {
            passOn(pool, left - 1, done);
          }
        });
  }

  @Test
  void aScopeThatGivesItselfAsATaskIsOnePlace() throws Exception {
    start(Level.TIME);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      CountDownLatch done = new CountDownLatch(1);
      step(pool, 100, done);
      done.await();
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("step").calls()).isEqualTo(1);
    assertThat(tree.find("step", "task", "step").calls()).isEqualTo(100);
    assertThat(tree.nodes()).hasSize(3);
  }

  private static void step(Executor pool, int left, CountDownLatch done) {
    try (var _ = Profiler.scope(STEP)) {
      if (left == 0) {
        done.countDown();
        return;
      }
      Handover from = Profiler.passOn();
      pool.execute(
          () -> {
            try (var _ = Profiler.enter(from)) {
              step(pool, left - 1, done);
            }
          });
    }
  }

  @Test
  void aPlaceOutsideOfScopesIsKnownAsSuch() {
    assertThat(Profiler.passOn().fromScope()).isFalse();
    start(Level.TIME);
    assertThat(Profiler.passOn().fromScope()).isFalse();
    try (var _ = Profiler.scope(REGION)) {
      assertThat(Profiler.passOn().fromScope()).isTrue();
      assertThat(Profiler.passOn()).isSameAs(Profiler.handover());
    }
  }
}
