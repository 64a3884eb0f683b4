package dev.ridgeline.report;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Allocation;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.Contention;
import dev.ridgeline.profiler.Profile.Device;
import dev.ridgeline.profiler.Profile.FanOut;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Path;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Waiting;
import dev.ridgeline.profiler.Profile.Waits;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Valid profiles of any size, the same for the same seed; self times add up as in real ones. */
public final class SampleProfiles {
  private static final String[] NAMES = {
    "forward", "attention", "softmax", "ffn", "gelu", "norm <&> \"q\"", "layer", "tokenize", "プール"
  };

  private SampleProfiles() {}

  /** A profile with about {@code nodes} nodes, spread over {@code lanes} threads. */
  public static Profile random(long seed, int nodes, int lanes, Level level) {
    Random random = new Random(seed);
    List<Path> paths = List.of(new Path(-1, "main", false), new Path(0, "region", false));
    List<Lane> all = new ArrayList<>();
    for (int i = 0; i < lanes; i++) all.add(lane(random, i, Math.max(2, nodes / lanes), level));
    boolean waits = seed % 5 == 4;
    if (waits) all.replaceAll(SampleProfiles::waiting);
    return new Profile(
        level,
        Instant.parse("2026-11-15T10:00:00.123456789Z"),
        5_000_000_000L,
        all,
        seed % 3 == 1 ? List.of(device(random, level)) : List.of(),
        paths,
        new Calibration(24.5, 26.0, 31.5, 0.4),
        new SystemActivity(
            List.of(new SystemActivity.Collector("G1 Young Generation", 3, 12)),
            List.of(
                new SystemActivity.Pause(
                    1_000_000, 4_100_000, "G1 Young Generation", "G1 Evacuation Pause", 9_000_000)),
            812,
            6_500_000_000L,
            0.004,
            9_000_000,
            31_000_000,
            6_000_000_000L,
            412_000_000),
        List.of(new LedgerEntry("kv cache", 1 << 20, 1 << 22)),
        new Slips(0, random.nextInt(3), 0, 0),
        seed % 4 == 2 ? Samples.NONE : samples(random, all),
        seed % 4 == 3
            ? List.of(
                new Profile.Pool("cpu", 1, 1_000, 4_000, 2_000_000, 3_000_000, 40_000_000, 9_000))
            : List.of(),
        waits ? waits(all) : Waits.NONE);
  }

  /** A device that did something for both paths. */
  private static Device device(Random random, Level level) {
    List<Node> operations = new ArrayList<>();
    for (int path = 0; path < 2; path++) {
      long nanos = 1_000 + random.nextInt(1_000_000);
      operations.add(
          new Node(
              -1,
              path == 0 ? "main" : "region",
              path,
              new Time(1, 0, nanos, nanos, nanos, nanos, Histogram.of(random.nextInt(300), 1)),
              Allocation.NOT_RECORDED,
              new Work(random.nextInt(1_000), random.nextInt(9_000)),
              FanOut.NONE));
    }
    long busy = operations.stream().mapToLong(each -> each.time().totalNanos()).sum();
    Trace trace =
        level == Level.TRACE
            ? Trace.of(0, 0, 50, 900, Profile.UNKNOWN, 10, 20, 1, 960, 40, Profile.UNKNOWN, 0, 0)
            : Trace.EMPTY;
    return new Device("gpu:0", busy, random.nextInt(100_000), operations, trace);
  }

  /** Every third scope waits for a part of its time. */
  private static Lane waiting(Lane lane) {
    List<Node> nodes = new ArrayList<>(lane.nodes());
    for (int i = 0; i < nodes.size(); i += 3) {
      long part = nodes.get(i).time().selfNanos() / 8;
      nodes.set(i, nodes.get(i).with(new Waiting(part, part / 2, 3 * part, 2 * part, i % 2)));
    }
    return new Lane(lane.thread(), lane.virtual(), lane.threads(), nodes, lane.trace());
  }

  private static Waits waits(List<Lane> lanes) {
    List<Contention> rows = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      long nanos = lanes.get(lane).nodes().getFirst().waiting().lockNanos();
      rows.add(new Contention(lane, 0, "acme.Till", "main", 0, 1, nanos / 2));
      rows.add(new Contention(lane, 0, "", "", -1, -1, nanos - nanos / 2));
    }
    return new Waits(500, 10_000_000, 7_000_000, rows);
  }

  /** Samples of some of the lanes' nodes. */
  private static Samples samples(Random random, List<Lane> lanes) {
    List<Location> locations = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(12); i++) {
      String type = random.nextInt(3) == 0 ? "java.lang.Math" : "app.Engine$Inner";
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      if (kind.outsideJava()) type = "libengine.so";
      locations.add(new Location(type, "method" + i, random.nextInt(300), kind));
    }
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      calls.add(new Call(random.nextInt(i + 1) - 1, random.nextInt(locations.size())));
    }
    List<Cpu> cpu = new ArrayList<>();
    List<Allocated> allocations = new ArrayList<>();
    List<Allocated> live = new ArrayList<>();
    List<Deoptimized> deoptimizations = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int lane = random.nextInt(lanes.size() + 2) - 2;
      int node = lane < 0 ? -1 : random.nextInt(lanes.get(lane).nodes().size());
      int stack = random.nextInt(calls.size() + 1) - 1;
      long count = 1 + random.nextInt(9);
      cpu.add(new Cpu(lane, node, stack, count, count * 4_000_000));
      if (i % 3 == 0) {
        allocations.add(new Allocated(lane, node, stack, "byte[]", count, count << 16));
      }
      if (i % 5 == 0) live.add(new Allocated(lane, node, stack, "int[]", count, count << 12));
      if (i % 9 == 0) {
        int location = random.nextInt(locations.size());
        deoptimizations.add(new Deoptimized(lane, node, location, "class_check", count));
      }
    }
    return new Samples(
        Samples.Source.CPU_TIME,
        Samples.Event.CPU,
        "JDK Flight Recorder",
        2_000_000,
        locations,
        calls,
        cpu,
        List.of(
            new Samples.OfThread("main", 40, 160_000_000), new Samples.OfThread("", 3, 12_000_000)),
        allocations,
        live,
        deoptimizations,
        new Samples.Quality(random.nextInt(5), 1, 0, 4_000_000, 70));
  }

  private static Lane lane(Random random, int index, int count, Level level) {
    boolean virtual = index == 2;
    int[] parents = new int[count];
    long[] total = new long[count];
    long[] self = new long[count];
    parents[0] = -1;
    for (int i = 0; i < count; i++) {
      // Recent nodes make likelier parents: trees grow deep as well as wide.
      if (i > 0) parents[i] = Math.max(0, i - 1 - (int) (Math.abs(random.nextGaussian()) * 6));
      self[i] = 100 + (long) Math.exp(random.nextGaussian() * 2 + 11);
      if (random.nextInt(20) == 0) self[i] = 40;
    }
    for (int i = count - 1; i >= 0; i--) {
      total[i] += self[i];
      if (parents[i] >= 0) total[parents[i]] += total[i];
    }
    List<Node> nodes = new ArrayList<>(count);
    List<Long> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long calls = 1 + random.nextInt(50);
      long each = total[i] / calls;
      boolean root = i == 0;
      boolean task = root && index > 0;
      nodes.add(
          new Node(
              parents[i],
              root ? (task ? "task" : "main") : index == 0 && i == 1 ? "region" : name(random, i),
              task ? 1 : Node.SCOPE,
              new Time(
                  calls,
                  0,
                  total[i],
                  self[i],
                  each / 2,
                  each * 2,
                  Histogram.of(Math.min(300, 10 + (int) (8 * Math.log(each + 8))), calls)),
              virtual || level.ordinal() < Level.ALLOCATION.ordinal()
                  ? Allocation.NOT_RECORDED
                  : new Allocation(self[i] / 3 + (root ? 1000 : 0), self[i] / 4),
              random.nextInt(3) == 0
                  ? new Work(self[i] * 9, self[i] * 50, i % 2 * self[i])
                  : Work.NONE,
              task
                  ? FanOut.ofTask(1)
                  : i == 1 && index == 0
                      ? new FanOut(4, 0, 2000, 4000, 2000, 1300, 2600)
                      : FanOut.NONE));
      if (level == Level.TRACE && i < 2000) {
        long start = i * 1000L;
        long first = task ? Trace.task(i, 0) : i;
        events.addAll(List.of(first, start, Math.max(1, each), 16L, 64L, 128L));
      }
    }
    Trace trace =
        level == Level.TRACE
            ? Trace.of(index, events.stream().mapToLong(Long::longValue).toArray())
            : Trace.EMPTY;
    String thread = virtual ? "virtual" : index == 0 ? "main" : "worker-" + index;
    return new Lane(thread, virtual, virtual ? 10_000 : 1, nodes, trace);
  }

  private static String name(Random random, int i) {
    String name = NAMES[random.nextInt(NAMES.length)];
    return name.equals("layer") ? name + " " + i % 12 : name + (i > 200 ? " " + i : "");
  }
}
