package dev.ridgeline.report.format;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Profiles as the profiler would have recorded them: scopes and tasks are played out call by call
 * on imagined threads with imagined clocks, so events nest, add up and agree with the trees. The
 * same for the same seed.
 */
final class Play {
  static final List<String> NAMES =
      List.of(
          "forward",
          "attention",
          "ffn",
          "a;b",
          "norm <&> \"q\"",
          "プール",
          "50 % done %41",
          "𝛼🚀",
          " lead",
          "line\nbreak\r\t",
          "<script>]]>",
          "back\\slash",
          "\u2028\u0000\u001b[31m",
          "task");

  private final Random random;
  private final Level level;
  private final int ring;
  private final int tick;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Profile.Path> paths = new ArrayList<>();
  private int calls;

  private Play(long seed, Level level, int ring, int tick) {
    this.random = new Random(seed);
    this.level = level;
    this.ring = ring;
    this.tick = tick;
  }

  /** A profile of any shape. */
  static Profile random(long seed, Level level) {
    return random(seed, level, 400, 1 << 20);
  }

  /** A profile with raw events no two of which begin or end at the same moment of a thread. */
  static Profile onAFineClock(long seed) {
    return new Play(seed, Level.TRACE, 1 << 20, 1).play(400);
  }

  /** A profile of about {@code calls} calls whose lanes keep at most {@code ring} events each. */
  static Profile random(long seed, Level level, int calls, int ring) {
    return new Play(seed, level, ring, 0).play(calls);
  }

  private Profile play(int wanted) {
    int lanes = 1 + random.nextInt(4);
    for (int i = 0; i < lanes; i++) actors.add(new Actor(i));
    while (calls < wanted) call(actors.getFirst(), 0);
    return profile();
  }

  private void call(Actor actor, int depth) {
    actor.begin(NAMES.get(random.nextInt(NAMES.size())), Profile.Node.SCOPE, -1);
    calls++;
    actor.spend();
    while (depth < 12 && random.nextInt(2) == 0) call(actor, depth + 1);
    if (depth < 3 && random.nextInt(4) == 0) handOver(actor, depth);
    actor.end(random.nextInt(3) == 0);
  }

  private void handOver(Actor from, int depth) {
    int origin = place(from);
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      Actor to = actors.get(random.nextInt(actors.size()));
      // Who is busy further up cannot be given more; who hands over may help.
      if (to != from && !to.open.isEmpty()) continue;
      to.now = Math.max(to.now, from.now + random.nextInt(100));
      to.begin(random.nextBoolean() ? "task" : "rows", origin, from.index);
      calls++;
      to.spend();
      while (random.nextInt(3) == 0) call(to, depth + 4);
      to.end(random.nextInt(3) == 0);
      from.now = Math.max(from.now, to.now);
    }
  }

  /** The path to what is open, entered step by step from the last hand-over on. */
  private int place(Actor actor) {
    int parent = -1;
    for (Draft step : actor.open) {
      boolean task = step.origin != Profile.Node.SCOPE;
      Profile.Path path = new Profile.Path(task ? step.origin : parent, step.name, task);
      if (!paths.contains(path)) paths.add(path);
      parent = paths.indexOf(path);
    }
    return parent;
  }

  private Profile profile() {
    long end = actors.stream().mapToLong(actor -> actor.now).max().orElseThrow();
    return new Profile(
        level,
        Instant.parse("2026-11-15T10:00:00.123456789Z"),
        end + 1_000,
        actors.stream().map(Actor::lane).toList(),
        List.of(),
        paths,
        new Profile.Calibration(24.5, 26.0, 31.5, 0.4),
        new SystemActivity(List.of(), List.of(), -1, -1, -1, -1, -1, -1, -1),
        List.of(),
        Profile.Slips.NONE,
        Samples.NONE,
        List.of(),
        Profile.Waits.NONE);
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
    long bytes;
    long flops;
  }

  private final class Actor {
    final int index;
    final List<Draft> nodes = new ArrayList<>();
    final List<Draft> open = new ArrayList<>();
    final List<Integer> handedOverBy = new ArrayList<>();
    final Map<List<Object>, Draft> known = new HashMap<>();
    final List<long[]> events = new ArrayList<>();
    long now = 1_000;

    Actor(int index) {
      this.index = index;
    }

    void spend() {
      // Many calls take no time at all on a coarse clock.
      now += tick + (random.nextInt(4) == 0 ? 0 : random.nextInt(20_000));
    }

    void begin(String name, int origin, int from) {
      spend();
      int parent = open.isEmpty() ? -1 : open.getLast().index;
      Draft node = known.computeIfAbsent(List.of(parent, name, origin), _ -> new Draft());
      if (node.name == null) {
        node.index = nodes.size();
        node.parent = parent;
        node.name = name;
        node.origin = origin;
        nodes.add(node);
      }
      node.began = now;
      node.inside = 0;
      open.add(node);
      handedOverBy.add(from);
    }

    void end(boolean works) {
      Draft node = open.removeLast();
      spend();
      long nanos = now - node.began;
      long bytes = works ? 1 + random.nextInt(1_000_000) : 0;
      long flops = works ? random.nextInt(1_000_000) : 0;
      node.calls++;
      node.total += nanos;
      node.self += nanos - node.inside;
      node.bytes += bytes;
      node.flops += flops;
      if (!open.isEmpty()) open.getLast().inside += nanos;
      long first = Trace.task(node.index, handedOverBy.removeLast());
      events.add(new long[] {first, node.began, nanos, virtual() ? -1 : nanos, bytes, flops});
    }

    boolean virtual() {
      return index == 2;
    }

    Profile.Lane lane() {
      Trace trace = Trace.EMPTY;
      if (level == Level.TRACE) {
        int dropped = Math.max(0, events.size() - ring);
        trace =
            Trace.of(
                dropped,
                events.stream().skip(dropped).flatMapToLong(java.util.Arrays::stream).toArray());
      }
      String thread = index == 0 ? "main" : virtual() ? "virtual" : "worker-" + index;
      return new Profile.Lane(
          thread, virtual(), 1, nodes.stream().map(this::finished).toList(), trace);
    }

    private Profile.Node finished(Draft n) {
      return new Profile.Node(
          n.parent,
          n.name,
          n.origin,
          new Profile.Time(n.calls, 0, n.total, n.self, 0, n.total, Histogram.of(40, n.calls)),
          virtual() || level.compareTo(Level.ALLOCATION) < 0
              ? Profile.Allocation.NOT_RECORDED
              : new Profile.Allocation(n.total, n.self),
          new Profile.Work(n.bytes, n.flops),
          Profile.FanOut.NONE);
    }
  }
}
