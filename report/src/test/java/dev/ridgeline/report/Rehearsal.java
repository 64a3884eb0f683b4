package dev.ridgeline.report;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Allocation;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.FanOut;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Path;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.SystemActivity.Collector;
import dev.ridgeline.profiler.SystemActivity.Pause;
import dev.ridgeline.profiler.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small encoder's forward pass on two threads, played with a clock of its own: a profile in which
 * events nest and add up as in a real run.
 */
final class Rehearsal {
  private static final int LAYERS = 6;
  private final Random random = new Random(7);
  private final List<Path> paths = new ArrayList<>();
  private final Thread main = new Thread();
  private final Thread worker = new Thread();

  static Profile profile() {
    return new Rehearsal().play();
  }

  private Profile play() {
    main.begin("embed");
    main.scope("tokenize", 900, 40_000, 0);
    for (int batch = 0; batch < 12; batch++) {
      main.begin("forward");
      main.scope("embeddings", 60, 0, 0);
      for (int layer = 0; layer < LAYERS; layer++) layer(layer);
      main.scope("pool", 25, 0, 0);
      main.end(0, 0);
    }
    for (int i = 0; i < 400; i++) main.exact("write float", 20);
    main.end(0, 0);
    return new Profile(
        Level.TRACE,
        Instant.parse("2026-11-15T10:00:00Z"),
        main.now + 3_000_000,
        List.of(main.lane("main"), worker.lane("worker-1")),
        List.of(),
        paths,
        new Calibration(24.5, 26.0, 31.5, 0.4),
        new SystemActivity(
            List.of(new Collector("G1 Young Generation", 2, 7)),
            List.of(
                new Pause(
                    9_000_000, 2_100_000, "G1 Young Generation", "G1 Evacuation Pause", 9_000_000),
                new Pause(
                    31_000_000,
                    4_600_000,
                    "G1 Young Generation",
                    "G1 Evacuation Pause",
                    12_000_000)),
            812,
            2 * main.now,
            0.004,
            12_000_000,
            31_000_000,
            6_000_000_000L,
            412_000_000),
        List.of(
            new LedgerEntry("weights", 22_700_000, 22_700_000),
            new LedgerEntry("workspace", 1 << 20, 6_400_000)),
        Slips.NONE,
        Samples.NONE,
        List.of(),
        Profile.Waits.NONE);
  }

  private void layer(int layer) {
    main.begin("layer " + layer);
    main.begin("attention");
    parallel("qkv", 180);
    main.scope("scores", 90, 4_096, 8_000_000);
    main.scope("softmax", 55, 16_384, 0);
    main.scope("mix", 70, 0, 6_000_000);
    main.end(0, 0);
    main.scope("norm", 22, 0, 0);
    main.begin("ffn");
    parallel("up", 280);
    main.scope("gelu", 120, 0, 0);
    parallel("down", 250);
    main.end(0, 0);
    main.scope("norm", 22, 0, 0);
    main.end(0, 0);
  }

  /** A matrix product in two halves: one here, one handed to the worker. */
  private void parallel(String name, int micros) {
    main.begin(name);
    main.spend(3);
    long mine = main.now;
    worker.now = Math.max(worker.now, mine + 4_000);
    long before = worker.now;
    int origin = place(main);
    worker.beginTask("rows", origin);
    worker.spend(jitter(micros));
    worker.end(640, 0);
    main.beginTask("rows", origin);
    main.spend(jitter(micros));
    main.end(640, 0);
    long busyHere = main.now - mine;
    long busyThere = worker.now - before;
    main.now = Math.max(main.now, worker.now) + 1_500;
    Draft region = main.open.getLast();
    region.regions++;
    long wall = main.now - region.began;
    long busiest = Math.max(busyHere, busyThere);
    region.fanWall += wall;
    region.fanUsed += busyHere + busyThere;
    region.fanMax += busiest;
    region.fanUneven += Math.round(wall * 2.0 * busiest / (busyHere + busyThere));
    main.end(0, micros * 150_000L);
  }

  private int jitter(int micros) {
    return (int) (micros * (0.8 + 0.5 * random.nextDouble()));
  }

  /** The path of the innermost open scope, entered step by step. */
  private int place(Thread thread) {
    int parent = -1;
    for (Draft step : thread.open) {
      Path path = new Path(parent, step.name, step.origin != Node.SCOPE);
      if (!paths.contains(path)) paths.add(path);
      parent = paths.indexOf(path);
    }
    return parent;
  }

  private static final class Draft {
    int index;
    int parent;
    String name;
    int origin;
    long began;
    long inside;
    long calls;
    long total;
    long self;
    long min = Long.MAX_VALUE;
    long max;
    long allocated;
    long selfAllocated;
    long allocatedBefore;
    long allocatedInside;
    long flops;
    long regions;
    long fanMax;
    long fanWall;
    long fanUsed;
    long fanUneven;
    final long[] histogram = new long[320];
  }

  private final class Thread {
    final List<Draft> nodes = new ArrayList<>();
    final List<Draft> open = new ArrayList<>();
    final List<Long> events = new ArrayList<>();
    long now = 1_000_000;
    long allocated;

    void scope(String name, int micros, long bytes, long flops) {
      begin(name);
      spend(jitter(micros));
      end(bytes, flops);
    }

    void exact(String name, long nanos) {
      begin(name);
      now += nanos;
      end(0, 0);
    }

    void spend(int micros) {
      now += micros * 1000L;
    }

    void begin(String name) {
      beginTask(name, Node.SCOPE);
    }

    void beginTask(String name, int origin) {
      Draft parent = open.isEmpty() ? null : open.getLast();
      Draft node = null;
      for (Draft n : nodes) {
        if (n.name.equals(name)
            && n.origin == origin
            && n.parent == (parent == null ? -1 : parent.index)) node = n;
      }
      if (node == null) {
        node = new Draft();
        node.index = nodes.size();
        node.parent = parent == null ? -1 : parent.index;
        node.name = name;
        node.origin = origin;
        nodes.add(node);
      }
      now += 300; // the program itself, between scopes
      node.began = now;
      node.inside = 0;
      node.allocatedBefore = allocated;
      node.allocatedInside = 0;
      open.add(node);
    }

    void end(long bytes, long flops) {
      Draft node = open.removeLast();
      allocated += bytes;
      now += 26; // what the recorder measures of itself; the rest of its cost comes after
      long nanos = now - node.began;
      long took = allocated - node.allocatedBefore;
      node.calls++;
      node.total += nanos;
      node.self += nanos - node.inside;
      node.min = Math.min(node.min, nanos);
      node.max = Math.max(node.max, nanos);
      node.allocated += took;
      node.selfAllocated += took - node.allocatedInside;
      node.flops += flops;
      node.histogram[bucket(nanos)]++;
      if (!open.isEmpty()) {
        open.getLast().inside += nanos;
        open.getLast().allocatedInside += took;
      }
      now += 32;
      events.addAll(List.of((long) node.index, node.began, nanos, took, flops / 10, flops));
    }

    Lane lane(String name) {
      return new Lane(
          name,
          false,
          1,
          nodes.stream().map(this::finished).toList(),
          Trace.of(0, events.stream().mapToLong(Long::longValue).toArray()));
    }

    private Node finished(Draft n) {
      boolean task = n.origin != Node.SCOPE;
      return new Node(
          n.parent,
          n.name,
          n.origin,
          new Time(n.calls, 0, n.total, n.self, n.min, n.max, Histogram.of(0, n.histogram)),
          new Allocation(n.allocated, n.selfAllocated),
          new Work(n.flops / 10, n.flops),
          task
              ? FanOut.ofTask(1)
              : new FanOut(
                  n.regions, 0, n.fanWall, 2 * n.fanWall, n.fanUsed, n.fanMax, n.fanUneven));
    }
  }

  private static int bucket(long nanos) {
    if (nanos < 8) return (int) nanos;
    int exponent = 63 - Long.numberOfLeadingZeros(nanos);
    return ((exponent - 2) << 3) + (int) ((nanos >>> (exponent - 3)) & 7);
  }
}
