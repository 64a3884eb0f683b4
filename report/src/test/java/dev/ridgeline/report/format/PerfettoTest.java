package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class PerfettoTest {
  @TempDir Path folder;

  @Test
  void protocFindsEachFieldWhereItBelongs() throws IOException {
    Program protoc = Program.of("protoc", "protobuf-compiler");
    Path file = folder.resolve("trace.perfetto-trace");
    Files.write(file, write(region()));
    assertThat(protoc.run(folder, file, List.of("--decode_raw")).replaceAll("\\s+", " ").strip())
        .isEqualTo(
            String.join(
                " ",
                // Clocks: monotonic, since boot, of the wall.
                "1 { 6 { 1 { 1: 3 2: 0 } 1 { 1: 6 2: 0 } 1 { 1: 1 2: 1794736800000000000 } } 10: 1"
                    + " }",
                // The state of the sequence: a default clock, and names.
                "1 { 13: 1 59 { 58: 3 } 12 {",
                "2 { 1: 1 2: \"region\" } 2 { 1: 2 2: \"task\" }",
                "3 { 1: 1 2: \"allocated bytes\" } 3 { 1: 2 2: \"declared bytes\" }",
                "3 { 1: 3 2: \"declared FLOPs\" } } 10: 1 }",
                // Tracks: the process, two threads, and two counters of the one that works.
                "1 { 60 { 1: 1 3 { 1: 1 6: \"ridgeline\" } } 10: 1 }",
                "1 { 60 { 1: 2 4 { 1: 1 2: 2 5: \"main\" } } 10: 1 }",
                "1 { 60 { 1: 5 4 { 1: 1 2: 3 5: \"worker\" } } 10: 1 }",
                "1 { 60 { 1: 6 2: \"declared bytes\" 5: 5 8 { 3: 3 } } 10: 1 }",
                "1 { 60 { 1: 7 2: \"declared FLOPs\" 5: 5 8 { 6: \"FLOP\" } } 10: 1 }",
                // What is missing, as an instant of the process.
                "1 { 8: 0 13: 2 11 { 9: 3 11: 1 23: \"older events dropped: 3 by the profiler\\'s"
                    + " ring; aggregates are complete\" } 10: 1 }",
                // The region begins, and an arrow with it; it ends.
                "1 { 8: 10 13: 2 11 { 9: 1 11: 2 10: 1 47: 0x0000000000000001 } 10: 1 }",
                "1 { 8: 100 13: 2 11 { 9: 2 11: 2 } 10: 1 }",
                // The task begins with its counters, its facts and the arrow's end; it ends.
                "1 { 8: 30 13: 2 11 { 9: 1 11: 5 31: 6 12: 0 31: 7 12: 0 10: 2",
                "4 { 1: 1 4: 8 } 4 { 1: 2 4: 640 } 4 { 1: 3 4: 1280 }",
                "48: 0x0000000000000001 } 10: 1 }",
                "1 { 8: 80 13: 2 11 { 9: 2 11: 5 31: 6 12: 640 31: 7 12: 1280 } 10: 1 }"));
  }

  @Test
  void slicesCountersAndFlowsAreThoseOfTheProfile() throws IOException {
    long arrows = 0;
    for (long seed = 0; seed < 30; seed++) {
      Profile profile = Play.random(seed, Level.TRACE);
      Read read = Read.of(write(profile), "seed " + seed);
      long bytes = 0;
      for (int l = 0; l < profile.lanes().size(); l++) {
        Lane lane = profile.lanes().get(l);
        long track = 2 + 3L * l;
        assertThat(read.threads.get(track)).isEqualTo(lane.thread());
        Map<Object, Long> wanted = new TreeMap<>();
        lane.nodes().forEach(n -> wanted.merge(n.name(), n.time().totalNanos(), Long::sum));
        Edges edges = read.edges.getOrDefault(track, new Edges("none"));
        assertThat(edges.totals()).as("seed %d", seed).isEqualTo(wanted);
        bytes += read.counters.getOrDefault(track + 1, 0L);
      }
      long declared =
          profile.tree().root().children().stream().mapToLong(top -> top.work().bytes()).sum();
      assertThat(bytes).as("seed %d", seed).isEqualTo(declared);
      int[] fromTheFirst = new int[profile.lanes().size()];
      int wanted = Flow.of(profile, profile.tree(), fromTheFirst).size();
      assertThat(read.flowsFrom).as("seed %d", seed).hasSize(wanted);
      assertThat(read.flowsTo.keySet()).as("seed %d", seed).isEqualTo(read.flowsFrom.keySet());
      read.flowsTo.forEach(
          (id, task) -> {
            Slice region = read.flowsFrom.get(id);
            // Its direction is that of time: the call that handed over must have begun before.
            assertThat(region.start).as("flow %d", id).isLessThanOrEqualTo(task.start);
            assertThat(region.end).as("flow %d", id).isGreaterThanOrEqualTo(task.start);
          });
      arrows += wanted;
    }
    assertThat(arrows).isGreaterThan(100);
  }

  private static final class Slice {
    final long start;
    long end = -1;

    /** Bytes and FLOPs, as counters said them at its beginning and as annotated. */
    final List<Long> before;

    final List<Long> declared;

    Slice(long start, List<Long> before, List<Long> declared) {
      this.start = start;
      this.before = before;
      this.declared = declared;
    }
  }

  /** A trace as Perfetto takes it by the rules of its messages; what breaks one fails. */
  private static final class Read {
    private static final int CLEARED = 1;
    private static final int NEEDED = 2;

    final Map<Long, String> threads = new HashMap<>();
    final Map<Long, Edges> edges = new HashMap<>();
    final Map<Long, Long> counters = new HashMap<>();
    final Map<Long, Slice> flowsFrom = new TreeMap<>();
    final Map<Long, Slice> flowsTo = new TreeMap<>();
    private final String label;
    private final Map<Long, Long> counterOf = new HashMap<>();
    private final Set<Long> tracks = new TreeSet<>();
    private final Set<Long> clocks = new TreeSet<>();
    private final Map<Long, ArrayDeque<Slice>> open = new HashMap<>();
    private Map<Long, String> names;
    private Map<Long, String> annotations;

    private Read(String label) {
      this.label = label;
    }

    static Read of(byte[] file, String label) {
      Read read = new Read(label);
      for (ProtoReader packet : ProtoReader.of(file).messages(1)) read.packet(packet);
      assertThat(read.open.values()).as(label).allMatch(ArrayDeque::isEmpty);
      return read;
    }

    private void packet(ProtoReader packet) {
      assertThat(packet.number(10)).as("sequence").isEqualTo(1);
      long flags = packet.number(13);
      if ((flags & CLEARED) != 0) {
        names = new HashMap<>();
        annotations = new HashMap<>();
      }
      // Whoever needs the state of its sequence is dropped until that was begun anew.
      if ((flags & NEEDED) != 0 || packet.has(12)) assertThat(names).as(label).isNotNull();
      for (ProtoReader snapshot : packet.messages(6)) {
        snapshot.messages(1).forEach(clock -> clocks.add(clock.number(1)));
      }
      for (ProtoReader defaults : packet.messages(59)) {
        assertThat(clocks).as("default clock").contains(defaults.number(58));
      }
      for (ProtoReader interned : packet.messages(12)) {
        intern(interned.messages(2), names);
        intern(interned.messages(3), annotations);
      }
      packet.messages(60).forEach(this::track);
      for (ProtoReader event : packet.messages(11)) {
        assertThat(flags).as("an event needs interned names").isEqualTo(NEEDED);
        event(packet.number(8), event);
      }
    }

    private void intern(List<ProtoReader> entries, Map<Long, String> into) {
      for (ProtoReader entry : entries) {
        assertThat(entry.number(1)).as("0 is no number of a name").isPositive();
        assertThat(into.put(entry.number(1), entry.text(2))).as(label).isNull();
      }
    }

    private void track(ProtoReader track) {
      assertThat(tracks.add(track.number(1))).as("%s: track twice", label).isTrue();
      if (track.has(4)) {
        threads.put(track.number(1), track.message(4).text(5));
        assertThat(track.message(4).number(2)).as("thread id").isNotEqualTo(1);
      }
      if (track.has(8)) {
        assertThat(threads).containsKey(track.number(5));
        counterOf.put(track.number(1), track.number(5));
      }
    }

    private void event(long at, ProtoReader event) {
      long track = event.number(11);
      assertThat(tracks).as(label).contains(track);
      Edges edge = edges.computeIfAbsent(track, _ -> new Edges(label));
      ArrayDeque<Slice> stack = open.computeIfAbsent(track, _ -> new ArrayDeque<>());
      List<Long> values = counters(track, event);
      if (event.number(9) == 1) {
        assertThat(names).as(label).containsKey(event.number(10));
        edge.begin(names.get(event.number(10)), at);
        stack.push(new Slice(at, values, declared(event)));
        for (long id : event.numbers(47)) {
          assertThat(flowsFrom.put(id, stack.peek())).as("flow %d", id).isNull();
        }
        for (long id : event.numbers(48)) {
          assertThat(flowsTo.put(id, stack.peek())).as("flow %d", id).isNull();
          assertThat(event.numbers(47)).as("both ends of a flow at once").doesNotContain(id);
        }
      }
      if (event.number(9) == 2) {
        edge.end(at);
        Slice slice = stack.pop();
        slice.end = at;
        assertThat(values).as(label).hasSameSizeAs(slice.before);
        for (int i = 0; i < values.size(); i++) {
          assertThat(values.get(i))
              .as(label)
              .isEqualTo(slice.before.get(i) + slice.declared.get(i));
        }
      }
    }

    /** The values of an event's counters, which are those of its own thread. */
    private List<Long> counters(long track, ProtoReader event) {
      List<Long> which = event.numbers(31);
      List<Long> values = event.numbers(12);
      assertThat(values).as(label).hasSameSizeAs(which);
      for (int i = 0; i < which.size(); i++) {
        assertThat(counterOf.get(which.get(i))).as(label).isEqualTo(track);
        Long before = counters.put(which.get(i), values.get(i));
        assertThat(before == null ? 0 : before).as(label).isLessThanOrEqualTo(values.get(i));
      }
      return values;
    }

    private List<Long> declared(ProtoReader event) {
      Map<String, Long> facts = new HashMap<>();
      for (ProtoReader annotation : event.messages(4)) {
        assertThat(annotations).as(label).containsKey(annotation.number(1));
        facts.put(annotations.get(annotation.number(1)), annotation.number(4));
      }
      return List.of(
          facts.getOrDefault("declared bytes", 0L), facts.getOrDefault("declared FLOPs", 0L));
    }
  }

  /** One call of a region on one thread, and the task that it handed to another. */
  private static Profile region() {
    Profile.Node region = node("region", Profile.Node.SCOPE, 90, Work.NONE);
    Profile.Node task = node("task", 0, 50, new Work(640, 1280));
    return new Profile(
        Level.TRACE,
        Instant.parse("2026-11-15T10:00:00Z"),
        1_000,
        List.of(
            new Lane("main", false, 1, List.of(region), Trace.of(0, 0, 10, 90, -1, 0, 0)),
            new Lane(
                "worker",
                false,
                1,
                List.of(task),
                Trace.of(3, Trace.task(0, 0), 30, 50, 8, 640, 1280))),
        List.of(),
        List.of(new Profile.Path(-1, "region", false)),
        Profile.Calibration.NONE,
        new SystemActivity(List.of(), List.of(), -1, -1, -1, -1, -1, -1, -1),
        List.of(),
        Profile.Slips.NONE,
        Samples.NONE,
        List.of(),
        Profile.Waits.NONE);
  }

  private static Profile.Node node(String name, int origin, long nanos, Work work) {
    return new Profile.Node(
        -1,
        name,
        origin,
        new Profile.Time(1, 0, nanos, nanos, nanos, nanos, Histogram.EMPTY),
        Profile.Allocation.NOT_RECORDED,
        work,
        Profile.FanOut.NONE);
  }

  private static byte[] write(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Perfetto.write(profile, out, Kept.LIMIT_BYTES);
    return out.toByteArray();
  }
}
