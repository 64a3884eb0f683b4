package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Self times add up to each thread's root, exactly, whatever the program does. */
class SelfTimeTest {
  private static final Scope[] SCOPES = {
    Scope.of("p"), Scope.of("q"), Scope.of("r"), Scope.of("s"), Scope.of("t")
  };

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @ParameterizedTest
  @EnumSource(names = {"TIME", "ALLOCATION", "TRACE"})
  void selfTimesAddUpToEachThreadsRoot(Level level) throws Exception {
    for (long seed = 1; seed <= 40; seed++) {
      Profiler.start(Options.of(level).withoutCalibration());
      try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          Random random = new Random(seed * 100 + i);
          done.add(pool.submit(() -> wander(random, 6, pool)));
        }
        wander(new Random(seed), 6, pool);
        for (Future<?> one : done) one.get();
      }
      checkSums(Profiler.stop(), "seed " + seed);
    }
  }

  @Test
  void selfTimesAddUpInSnapshotsTakenWhileThreadsRun() throws Exception {
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<?> busy =
          pool.submit(
              () -> {
                for (int i = 0; i < 3_000; i++) wander(new Random(i), 4, Runnable::run);
              });
      Future<?> idle = pool.submit(() -> sleepInside());
      int taken = 0;
      while (!busy.isDone() || taken < 5) {
        checkSums(Profiler.snapshot(), "snapshot " + taken++);
      }
      busy.get();
      idle.get();
    }
    checkSums(Profiler.stop(), "at the end");
  }

  private static Void sleepInside() throws InterruptedException {
    try (var _ = Profiler.scope(SCOPES[0]);
        var _ = Profiler.scope(SCOPES[1])) {
      Thread.sleep(50);
    }
    return null;
  }

  /** A random program: nests, recurses, throws, forgets ends, hands work to others, joins. */
  private static void wander(Random random, int depth, java.util.concurrent.Executor pool) {
    int steps = 1 + random.nextInt(4);
    for (int i = 0; i < steps; i++) {
      Scope scope = SCOPES[random.nextInt(SCOPES.length)];
      try (var frame = Profiler.scope(scope)) {
        frame.work(random.nextInt(100), random.nextInt(100));
        if (random.nextInt(8) == 0) Profiler.begin(SCOPES[random.nextInt(SCOPES.length)]);
        if (random.nextInt(8) == 0) Profiler.end(SCOPES[random.nextInt(SCOPES.length)]);
        if (random.nextInt(16) == 0) throw new IllegalStateException("on purpose");
        if (depth > 0 && random.nextInt(3) > 0) wander(random, depth - 1, pool);
        if (depth > 3 && random.nextInt(4) == 0) {
          Random theirs = new Random(random.nextLong());
          pool.execute(Profiler.task(() -> wander(theirs, 2, Runnable::run)));
        }
        if (depth > 3 && random.nextInt(8) == 0) {
          Random theirs = new Random(random.nextLong());
          ForkJoinPool.commonPool()
              .submit(Profiler.task(() -> wander(theirs, 2, Runnable::run)))
              .join();
        }
      } catch (IllegalStateException expected) {
        // Part of the program.
      }
    }
  }

  static void checkSums(Profile profile, String which) {
    long all = 0;
    for (Profile.Lane lane : profile.lanes()) {
      List<Profile.Node> nodes = lane.nodes();
      Map<Integer, Long> childTotals = new HashMap<>();
      Map<Integer, Long> childBytes = new HashMap<>();
      long selfs = 0;
      long selfBytes = 0;
      long rootBytes = 0;
      for (int i = 0; i < nodes.size(); i++) {
        Profile.Node node = nodes.get(i);
        assertThat(node.parent()).as(which).isLessThan(i);
        selfs += node.time().selfNanos();
        childTotals.merge(node.parent(), node.time().totalNanos(), Long::sum);
        if (node.allocation().known()) {
          selfBytes += node.allocation().selfBytes();
          childBytes.merge(node.parent(), node.allocation().totalBytes(), Long::sum);
          if (node.parent() < 0) rootBytes += node.allocation().totalBytes();
        }
      }
      for (int i = 0; i < nodes.size(); i++) {
        Profile.Node node = nodes.get(i);
        assertThat(node.time().selfNanos())
            .as("%s: %s", which, node)
            .isNotNegative()
            .isEqualTo(node.time().totalNanos() - childTotals.getOrDefault(i, 0L));
        assertThat(node.waiting().nanos())
            .as("%s: %s", which, node)
            .isBetween(0L, node.time().selfNanos());
        assertThat(node.time().histogram().total()).isEqualTo(node.time().calls());
        if (node.allocation().known()) {
          assertThat(node.allocation().selfBytes())
              .as("%s: %s", which, node)
              .isNotNegative()
              .isEqualTo(node.allocation().totalBytes() - childBytes.getOrDefault(i, 0L));
        }
      }
      assertThat(selfs).as("%s: lane %s", which, lane.thread()).isEqualTo(lane.totalNanos());
      assertThat(selfBytes).as("%s: lane %s", which, lane.thread()).isEqualTo(rootBytes);
      all += selfs;
    }
    CallTree tree = profile.tree();
    long waiting = tree.nodes().stream().mapToLong(node -> node.waiting().nanos()).sum();
    double running = tree.nodes().stream().mapToDouble(CallTree.Node::correctedRunningNanos).sum();
    double corrected = tree.nodes().stream().mapToDouble(CallTree.Node::correctedSelfNanos).sum();
    assertThat(tree.root().threadWaitingNanos()).as(which).isEqualTo(waiting);
    assertThat(running + waiting).as(which).isCloseTo(corrected, within(1.0));
    long merged = tree.nodes().stream().mapToLong(CallTree.Node::selfNanos).sum();
    assertThat(merged).as(which).isEqualTo(all).isEqualTo(profile.threadNanos());
    assertThat(tree.root().threadNanos()).as(which).isEqualTo(all);
    for (CallTree.Node node : tree.nodes()) {
      long inside =
          node.children().stream()
              .filter(child -> !child.isTask())
              .mapToLong(CallTree.Node::totalNanos)
              .sum();
      assertThat(node.selfNanos() + inside + node.lentNanos())
          .as("%s: %s", which, node)
          .isEqualTo(node.totalNanos());
    }
  }

  @Test
  void correctedSelfTimesAddUpToCorrectedTotals() throws Exception {
    Profiler.start(Options.of(Level.TIME));
    for (int i = 0; i < 200; i++) wander(new Random(i), 5, Runnable::run);
    Profile profile = Profiler.stop();
    assertThat(profile.calibration().innerNanos()).isPositive();
    assertThat(profile.calibration().outerNanos()).isPositive();
    CallTree tree = profile.tree();
    double selfs = tree.nodes().stream().mapToDouble(CallTree.Node::correctedSelfNanos).sum();
    assertThat(tree.root().correctedTotalNanos()).isCloseTo(selfs, within(1.0));
    long scopes = tree.nodes().stream().mapToLong(CallTree.Node::calls).sum();
    long outermost =
        profile.lanes().stream()
            .flatMap(lane -> lane.nodes().stream())
            .filter(node -> node.parent() < 0)
            .mapToLong(node -> node.time().calls())
            .sum();
    // An outermost scope's outer cost is nobody's: it lies outside of every scope.
    double cost =
        scopes * profile.calibration().innerNanos()
            + (scopes - outermost) * profile.calibration().outerNanos();
    assertThat(profile.threadNanos() - tree.root().correctedTotalNanos())
        .isCloseTo(cost, within(1.0));
  }
}
