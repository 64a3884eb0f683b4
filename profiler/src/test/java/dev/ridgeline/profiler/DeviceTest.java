package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations that a device completes later: their time is its own, their place the program's. */
class DeviceTest {
  private static final Scope OUTER = Scope.of("outer");
  private static final Scope MATMUL = Scope.of("matmul");
  private static final Scope GELU = Scope.of("gelu");
  private static final Scope[] SCOPES = {OUTER, MATMUL, GELU};

  private final DeviceQueue queue = new DeviceQueue("fake:0");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private static void start(Level level) {
    Profiler.start(Options.of(level).withoutCalibration());
  }

  /** Asks for an operation inside a scope that declares work. */
  private static Submission ask(Scope scope, long bytes, long flops) {
    Submission operation = new Submission();
    try (var open = Profiler.scope(scope)) {
      open.work(bytes, flops);
      Profiler.submit(operation);
    }
    return operation;
  }

  @Test
  void timeAndWorkAreTheDevicesAndThePlaceIsTheProgramsOwn() {
    start(Level.TIME);
    Submission matmul;
    Submission gelu;
    try (var _ = Profiler.scope(OUTER)) {
      matmul = ask(MATMUL, 100, 2_000);
      gelu = ask(GELU, 30, 40);
    }
    queue.done(matmul, 1_000, 6_000);
    queue.done(gelu, 7_000, 7_500);
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    CallTree.Node node = tree.find("outer", "matmul");
    assertThat(node.deviceCalls()).isEqualTo(1);
    assertThat(node.deviceSelfNanos()).isEqualTo(5_000);
    assertThat(node.deviceWork()).isEqualTo(new Profile.Work(100, 2_000));
    assertThat(node.calls()).isEqualTo(1);
    assertThat(node.work().declared()).as("the thread did not do it").isFalse();
    assertThat(tree.find("outer").deviceSelfNanos()).isZero();
    assertThat(tree.find("outer").deviceNanos()).isEqualTo(5_500);
    assertThat(tree.find("outer").deviceWork()).isEqualTo(new Profile.Work(130, 2_040));
    assertThat(tree.root().deviceNanos()).isEqualTo(profile.deviceNanos()).isEqualTo(5_500);
    assertThat(tree.root().threadNanos()).isEqualTo(tree.find("outer").totalNanos());
    assertThat(profile.devices())
        .extracting(Profile.Device::name, Profile.Device::busyNanos, Profile.Device::idleNanos)
        .containsExactly(tuple("fake:0", 5_500L, 1_000L));
  }

  @Test
  void onlyWhatThisCallDeclaredIsTakenOver() {
    start(Level.TIME);
    try (var open = Profiler.scope(MATMUL)) {
      open.integerWork(7, 70);
    }
    Submission nothing = new Submission();
    try (var _ = Profiler.scope(MATMUL)) {
      Profiler.submit(nothing);
    }
    Submission bytes = new Submission();
    try (var open = Profiler.scope(MATMUL)) {
      open.work(Arithmetic.INT8, 5, 50);
      open.work(Arithmetic.INT8, 6, 60);
      Profiler.submit(bytes);
      open.work(Arithmetic.INT8, 1, 10);
    }
    queue.done(nothing, 0, 1);
    queue.done(bytes, 1, 2);
    CallTree.Node node = Profiler.stop().tree().find("matmul");
    assertThat(node.work()).isEqualTo(new Profile.Work(8, 0, 80, Arithmetic.INT8));
    assertThat(node.deviceWork()).isEqualTo(new Profile.Work(11, 0, 110, Arithmetic.INT8));
  }

  @Test
  void operationsThatOverlapAreBusyOnceAndTakeTheirWholeTime() {
    start(Level.TIME);
    Submission first = ask(MATMUL, 0, 0);
    Submission second = ask(MATMUL, 0, 0);
    Submission inside = ask(MATMUL, 0, 0);
    queue.done(first, 10, 30);
    queue.done(inside, 15, 20);
    queue.done(second, 25, 50);
    Profile.Device device = Profiler.stop().devices().getFirst();
    assertThat(device.busyNanos()).isEqualTo(40);
    assertThat(device.idleNanos()).isZero();
    assertThat(device.totalNanos()).isEqualTo(50);
  }

  @Test
  void whatWasAskedForOutsideOfTheSessionIsNotInIt() {
    Submission before = ask(MATMUL, 1, 1);
    start(Level.TIME);
    Submission inside = ask(MATMUL, 1, 1);
    queue.done(before, 0, 5);
    Profile first = Profiler.stop();
    assertThat(first.devices()).isEmpty();
    start(Level.TIME);
    queue.done(inside, 5, 9);
    queue.done(ask(GELU, 1, 1), 9, 10);
    Profile second = Profiler.stop();
    assertThat(second.deviceNanos()).isEqualTo(1);
    assertThat(second.tree().find("gelu").deviceCalls()).isEqualTo(1);
    assertThat(second.tree().find("matmul")).isNull();
  }

  @Test
  void outsideOfEveryScopeItHasAPlaceOfItsOwn() {
    start(Level.TIME);
    Submission operation = new Submission();
    Profiler.submit(operation);
    queue.done(operation, 0, 3);
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("outside of scopes").deviceNanos()).isEqualTo(3);
    assertThat(tree.root().deviceNanos()).isEqualTo(3);
  }

  @Test
  void aTimelineHasADeviceBesideItsThreads() {
    start(Level.TRACE);
    for (int i = 0; i < 200; i++) queue.done(ask(MATMUL, i, 2L * i), 1_000L * i, 1_000L * i + 10);
    Profile profile = Profiler.stop();
    assertThat(profile.timeline()).hasSize(profile.lanes().size() + 1);
    Trace trace = profile.timeline().getLast().trace();
    assertThat(trace.size()).isEqualTo(200);
    assertThat(trace.durationNanos(199)).isEqualTo(10);
    assertThat(trace.startNanos(199) - trace.startNanos(0)).isEqualTo(199_000);
    assertThat(trace.bytes(199)).isEqualTo(199);
    assertThat(trace.flops(199)).isEqualTo(398);
    CallTree tree = profile.tree();
    assertThat(tree.places(profile.lanes().size())).containsExactly(tree.find("matmul"));
  }

  /** Operations are submitted from random places and completed by another thread. */
  @Test
  void treesAreExactWhateverIsAskedForWhere() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      start(Level.values()[1 + (int) (seed % 3)]);
      LinkedBlockingQueue<Submission> asked = new LinkedBlockingQueue<>();
      int count = 1 + random.nextInt(300);
      long[] sums = new long[2];
      Thread device =
          new Thread(
              () -> {
                Random times = new Random(0);
                long clock = 0;
                for (int i = 0; i < count; i++) {
                  Submission next = take(asked);
                  long begin = clock + times.nextInt(50);
                  long end = begin + 1 + times.nextInt(1_000);
                  if (i > 0) sums[1] += begin - clock;
                  sums[0] += end - begin;
                  queue.done(next, begin, end);
                  clock = end;
                }
              });
      device.start();
      ArrayDeque<Frame> open = new ArrayDeque<>();
      for (int i = 0; i < count; ) {
        switch (random.nextInt(3)) {
          case 0 -> {
            if (open.size() < 8) open.push(Profiler.scope(SCOPES[random.nextInt(3)]));
          }
          case 1 -> {
            if (!open.isEmpty()) open.pop().close();
          }
          default -> {
            Submission operation = new Submission();
            Profiler.submit(operation);
            asked.add(operation);
            i++;
          }
        }
      }
      while (!open.isEmpty()) open.pop().close();
      device.join();
      Profile profile = Profiler.stop();
      CallTree tree = profile.tree();
      String as = "seed " + seed;
      assertThat(profile.deviceNanos()).as(as).isEqualTo(sums[0]);
      assertThat(profile.devices().getFirst().busyNanos()).as(as).isEqualTo(sums[0]);
      assertThat(profile.devices().getFirst().idleNanos()).as(as).isEqualTo(sums[1]);
      assertThat(tree.nodes().stream().mapToLong(CallTree.Node::deviceSelfNanos).sum())
          .as(as)
          .isEqualTo(sums[0]);
      assertThat(tree.folded(profile).root().deviceNanos()).as(as).isEqualTo(sums[0]);
      assertThat(tree.nodes().stream().mapToLong(CallTree.Node::deviceCalls).sum())
          .as(as)
          .isEqualTo(count);
      SelfTimeTest.checkSums(profile, as);
    }
  }

  private static Submission take(LinkedBlockingQueue<Submission> from) {
    try {
      return from.poll(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
