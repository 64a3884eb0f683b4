package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.ridgeline.profiler.Profile.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting is told from running, by its kind, and whose lock it was is known. */
class WaitTest {
  /** Processor time may be counted in steps of so many nanoseconds. */
  private static final long CLOCK_STEP = 20_000_000;

  private static final Scope WAITER = Scope.of("waiter");
  private static final Scope OWNER = Scope.of("owner");
  private static final Scope INSIDE = Scope.of("inside");

  /** A lock of a class of its own, so that its name says which. */
  private static final class Till {}

  private interface Wait {
    void begin() throws Exception;
  }

  @BeforeEach
  void start() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
  }

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void sleepIsNotRunning() throws Exception {
    Waiting waiting = waitingIn(() -> Thread.sleep(100_000), Thread.State.TIMED_WAITING);
    only(waiting, Waiting::sleepNanos);
  }

  @Test
  void parkingIsNotRunning() throws Exception {
    only(waitingIn(WaitTest::parkOn, Thread.State.WAITING), Waiting::parkedNanos);
    only(waitingIn(LockSupport::park, Thread.State.WAITING), Waiting::parkedNanos);
    only(waitingIn(new CountDownLatch(1)::await, Thread.State.WAITING), Waiting::parkedNanos);
    only(waitingIn(WaitTest::waitOnAnObject, Thread.State.WAITING), Waiting::parkedNanos);
  }

  @Test
  @Timeout(60)
  void whatLookingAllocatesIsTheProfilersOwn() throws Exception {
    Thread waiter = waiter(LockSupport::park);
    await(waiter, Thread.State.WAITING);
    long before = Profiler.ownAllocatedBytes();
    // Each look at a thread that waits makes an object of what the JVM says.
    while (Profiler.ownAllocatedBytes() == before) Thread.onSpinWait();
    assertThat(Profiler.ownAllocatedBytes()).isGreaterThan(before);
    LockSupport.unpark(waiter);
    waiter.join();
    Profiler.stop();
    assertThat(Profiler.ownAllocatedBytes()).as("without a session").isZero();
  }

  private static void parkOn() {
    LockSupport.park(new Object());
  }

  private static void waitOnAnObject() throws InterruptedException {
    Object nobodyWakes = new Object();
    synchronized (nobodyWakes) {
      nobodyWakes.wait();
    }
  }

  @Test
  void readingASocketIsNotRunning() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket silent = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket peer = server.accept()) {
      InputStream in = silent.getInputStream();
      Thread reader = waiter(() -> read(in));
      // The JVM takes it for running: that it stands still shows only in its stack.
      while (!isIn(reader, "sun.nio.ch")) Thread.onSpinWait();
      only(seen(reader, peer::close), Waiting::ioNanos);
    }
  }

  private static void read(InputStream in) throws IOException {
    assertThat(in.read()).isEqualTo(-1);
  }

  private static boolean isIn(Thread thread, String packageName) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && stack[0].isNativeMethod()
        && stack[0].getClassName().startsWith(packageName);
  }

  @Test
  void aMonitorIsWaitedForWithItsClassItsOwnerAndWhatThatIsIn() throws Exception {
    Till till = new Till();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Thread owner =
        scoped(
            "owner of the till",
            OWNER,
            () -> {
              synchronized (till) {
                try (var _ = Profiler.scope(INSIDE)) {
                  held.countDown();
                  enough.await();
                }
              }
            });
    held.await();
    Thread waiter =
        waiter(
            () -> {
              synchronized (till) {
                assertThat(till).isNotNull();
              }
            });
    await(waiter, Thread.State.BLOCKED);
    look();
    enough.countDown();
    waiter.join();
    owner.join();
    contendedFor(Till.class.getName());
  }

  @Test
  void aLockIsWaitedForLikeAMonitor() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Thread owner =
        scoped(
            "owner of the till",
            OWNER,
            () -> {
              lock.lock();
              try (var _ = Profiler.scope(INSIDE)) {
                held.countDown();
                enough.await();
              } finally {
                lock.unlock();
              }
            });
    held.await();
    Thread waiter = waiter(() -> lockAndUnlock(lock));
    await(waiter, Thread.State.WAITING);
    look();
    enough.countDown();
    waiter.join();
    owner.join();
    contendedFor(ReentrantLock.class.getName());
  }

  @Test
  void whereALockWasHeldIsRememberedUntilTheWaiterWakes() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Thread owner =
        scoped(
            "owner of the till",
            OWNER,
            () -> {
              lock.lock();
              try (var _ = Profiler.scope(INSIDE)) {
                held.countDown();
                enough.await();
              } finally {
                lock.unlock();
              }
            });
    held.await();
    Thread next = Thread.ofPlatform().start(() -> lockAndUnlock(lock));
    await(next, Thread.State.WAITING);
    // Waits for the same lock without standing in its queue: whoever releases it wakes another.
    Object queue = LockSupport.getBlocker(next);
    CountDownLatch awake = new CountDownLatch(1);
    Thread waiter =
        waiter(
            () -> {
              while (awake.getCount() > 0) LockSupport.park(queue);
            });
    await(waiter, Thread.State.WAITING);
    look();
    enough.countDown();
    owner.join();
    next.join();
    // Nobody holds it, who held it is in no scope any more, and the waiter sleeps on.
    look();
    awake.countDown();
    LockSupport.unpark(waiter);
    waiter.join();
    contendedFor(ReentrantLock.class.getName());
  }

  private static void lockAndUnlock(ReentrantLock lock) {
    lock.lock();
    lock.unlock();
  }

  private static void contendedFor(String lock) {
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    Waiting waiting = tree.find("waiter").waiting();
    only(waiting, Waiting::lockNanos);
    List<Profile.Contention> all = profile.waits().contentions();
    assertThat(all).hasSize(1);
    Profile.Contention one = all.getFirst();
    assertThat(one.lock()).isEqualTo(lock);
    assertThat(one.ownerThread()).isEqualTo("owner of the till");
    assertThat(one.nanos()).isEqualTo(waiting.lockNanos());
    assertThat(place(profile, tree, one.lane(), one.node())).containsExactly("waiter");
    assertThat(place(profile, tree, one.ownerLane(), one.ownerNode()))
        .containsExactly("owner", "inside");
    // Who holds the lock waits for a latch, and not for the lock.
    only(tree.find("owner", "inside").waiting(), Waiting::parkedNanos);
  }

  private static List<String> place(Profile profile, CallTree tree, int lane, int node) {
    assertThat(lane).isBetween(0, profile.lanes().size() - 1);
    return tree.places(lane).get(node).path();
  }

  @Test
  void aScopeThatWaitsForItsTasksDoesNotRun() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    try (ExecutorService pool = Profiler.executor(Executors.newFixedThreadPool(1))) {
      Callable<Void> task =
          () -> {
            started.countDown();
            while (enough.getCount() > 0) Thread.onSpinWait();
            return null;
          };
      Thread caller = waiter(() -> pool.invokeAll(List.of(task)));
      started.await();
      await(caller, Thread.State.WAITING);
      look();
      enough.countDown();
      caller.join();
    }
    CallTree tree = Profiler.stop().tree();
    only(tree.find("waiter").waiting(), Waiting::parkedNanos);
    assertThat(tree.find("waiter", "task").waiting()).isEqualTo(Waiting.NONE);
  }

  @Test
  void whatVirtualThreadsWaitForIsToldToo() throws Exception {
    Profile profile;
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch begun = new CountDownLatch(2);
      Thread[] threads = new Thread[2];
      each.submit(
          () -> {
            threads[0] = Thread.currentThread();
            try (var _ = Profiler.scope(WAITER)) {
              begun.countDown();
              Thread.sleep(100_000);
            } catch (InterruptedException e) {
              // Enough.
            }
          });
      each.submit(
          () -> {
            threads[1] = Thread.currentThread();
            try (var _ = Profiler.scope(OWNER)) {
              begun.countDown();
              LockSupport.park();
            }
          });
      begun.await();
      await(threads[0], Thread.State.TIMED_WAITING);
      await(threads[1], Thread.State.WAITING);
      look();
      threads[0].interrupt();
      LockSupport.unpark(threads[1]);
    }
    profile = Profiler.stop();
    only(profile.tree().find("waiter").waiting(), Waiting::sleepNanos);
    only(profile.tree().find("owner").waiting(), Waiting::parkedNanos);
  }

  @Test
  void thousandsOfThreadsRunNoLongerThanProcessorsWorkForThem() throws Exception {
    thousandsSleep(Thread.ofPlatform());
    thousandsSleep(Thread.ofVirtual());
  }

  /** So many that looks are far apart, and most threads come and go between two of them. */
  private void thousandsSleep(Thread.Builder builder) throws Exception {
    if (Profiler.running()) Profiler.stop();
    long before = processNanos();
    start();
    Thread[] threads = new Thread[3_000];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = builder.start(WaitTest::sleepInAScope);
    }
    for (Thread thread : threads) thread.join();
    Profile profile = Profiler.stop();
    long used = processNanos() - before + 2 * CLOCK_STEP;
    CallTree.Node waiter = profile.tree().find("waiter");
    assertThat(waiter.calls()).isEqualTo(threads.length);
    assertThat(waiter.selfNanos() - waiter.waiting().nanos())
        .as("%s of %d ns, %s", waiter.waiting(), waiter.selfNanos(), profile.waits())
        .isLessThanOrEqualTo(used + profile.waits().runnableNanos());
    SelfTimeTest.checkSums(profile, builder.toString());
  }

  private static void sleepInAScope() {
    try (var _ = Profiler.scope(WAITER)) {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long processNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Test
  void whoHeldALockIsRememberedUntilTheWaiterWakes() {
    WaitState held = new WaitState(WaitState.Kind.LOCK, "acme.Till", 7, "owner");
    WaitState released = new WaitState(WaitState.Kind.LOCK, "acme.Till", -1, "");
    WaitState unknown = new WaitState(WaitState.Kind.LOCK, "", -1, "");
    WaitState another = new WaitState(WaitState.Kind.LOCK, "acme.Door", -1, "");
    assertThat(released.isHandedOverBy(held)).isTrue();
    assertThat(unknown.isHandedOverBy(held)).isTrue();
    assertThat(another.isHandedOverBy(held)).isFalse();
    assertThat(held.isHandedOverBy(held)).isFalse();
    assertThat(released.isHandedOverBy(WaitState.RUNNING)).isFalse();
    assertThat(WaitState.RUNNING.isHandedOverBy(held)).isFalse();
  }

  @Test
  void oneLookThatTookLongDelaysTheNextOnlyALittle() {
    long period = WaitWatch.PERIOD_NANOS;
    assertThat(WaitWatch.pauseAfter(period, 0)).isEqualTo(period);
    assertThat(WaitWatch.pauseAfter(period, 5_000_000)).isEqualTo(2 * period);
    // Where all looks take that long, they end up as far apart as they are dear.
    long pause = period;
    for (int i = 0; i < 10; i++) pause = WaitWatch.pauseAfter(pause, 5_000_000);
    assertThat(pause).isEqualTo(250_000_000);
    assertThat(WaitWatch.pauseAfter(pause, 10_000)).isEqualTo(period);
  }

  @Test
  void aThreadThatComputesDoesNotWait() throws Exception {
    try (var _ = Profiler.scope(WAITER)) {
      long end = Recorder.THREADS.getCurrentThreadCpuTime() + 200_000_000;
      while (Recorder.THREADS.getCurrentThreadCpuTime() < end) Thread.onSpinWait();
    }
    Profile profile = Profiler.stop();
    assertThat(profile.tree().find("waiter").waiting()).isEqualTo(Waiting.NONE);
    assertThat(profile.waits().looks()).isPositive();
  }

  @Test
  void runningAndWaitingAddUpToEachThreadsSelfTimes() throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      if (!Profiler.running()) start();
      Thread[] threads = new Thread[4];
      for (int i = 0; i < threads.length; i++) {
        Random random = new Random(10 * seed + i);
        threads[i] = Thread.ofPlatform().start(() -> waitAtRandom(random, 3));
      }
      for (Thread thread : threads) {
        while (thread.isAlive()) SelfTimeTest.checkSums(Profiler.snapshot(), "seed " + seed);
      }
      Profile profile = Profiler.stop();
      SelfTimeTest.checkSums(profile, "seed " + seed);
      assertThat(profile.tree().root().threadWaitingNanos()).as("seed %d", seed).isPositive();
      for (Profile.Contention one : profile.waits().contentions()) {
        assertThat(one.nanos()).as("seed %d: %s", seed, one).isNotNegative();
      }
    }
  }

  private static void waitAtRandom(Random random, int depth) {
    for (int i = 0; i < 4; i++) {
      try (var _ = Profiler.scope(List.of(WAITER, OWNER, INSIDE).get(random.nextInt(3)))) {
        switch (random.nextInt(4)) {
          case 0 -> LockSupport.parkNanos(2_000_000);
          case 1 -> Thread.sleep(random.nextInt(5));
          case 2 -> {
            synchronized (WaitTest.class) {
              Thread.sleep(random.nextInt(3));
            }
          }
          default -> {
            if (depth > 0) waitAtRandom(random, depth - 1);
          }
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void noKindIsMoreThanTheSelfTimeAndTogetherTheyAreNot() {
    assertThat(LaneWaits.fitted(new long[] {1, 2, 3, 4, 5}, 15))
        .isEqualTo(new Waiting(1, 2, 3, 4, 5));
    assertThat(LaneWaits.fitted(new long[] {10, 20, 30, 40, 0}, 50))
        .isEqualTo(new Waiting(5, 10, 15, 20, 0));
    assertThat(LaneWaits.fitted(new long[] {10, 0, 0, 0, 0}, -5)).isEqualTo(Waiting.NONE);
    assertThat(LaneWaits.fitted(new long[] {Long.MAX_VALUE / 4, 0, 1, 0, 0}, 7).nanos())
        .isBetween(6L, 7L);
  }

  /** What a wait in a scope was taken for; it is seen in the state that it is known by. */
  private Waiting waitingIn(Wait wait, Thread.State state) throws Exception {
    if (!Profiler.running()) start();
    Thread waiter = waiter(wait);
    await(waiter, state);
    return seen(waiter, waiter::interrupt);
  }

  private static Waiting seen(Thread waiter, AutoCloseable end) throws Exception {
    look();
    end.close();
    waiter.join();
    return Profiler.stop().tree().find("waiter").waiting();
  }

  private static Thread waiter(Wait wait) {
    return scoped("waiter", WAITER, wait);
  }

  private static Thread scoped(String name, Scope scope, Wait wait) {
    return Thread.ofPlatform()
        .name(name)
        .start(
            () -> {
              try (var _ = Profiler.scope(scope)) {
                wait.begin();
              } catch (InterruptedException e) {
                // Enough.
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static void await(Thread thread, Thread.State state) {
    while (thread.getState() != state) Thread.onSpinWait();
  }

  /** Twice: the second finds what the first did, and so how long it lasted. */
  private static void look() {
    Profiler.snapshot();
    Profiler.snapshot();
  }

  private static void only(Waiting waiting, ToLongFunction<Waiting> kind) {
    assertThat(kind.applyAsLong(waiting)).as(waiting.toString()).isPositive();
    assertThat(waiting.nanos()).as(waiting.toString()).isEqualTo(kind.applyAsLong(waiting));
  }
}
