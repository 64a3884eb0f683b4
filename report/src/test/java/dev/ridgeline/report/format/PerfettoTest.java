package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      assertThat(read.flowsTo).as("seed %d", seed).isEqualTo(read.flowsFrom);
      arrows += read.flowsTo.size();
    }
    assertThat(arrows).isGreaterThan(100);
  }

  /** A trace as Perfetto would take it. */
  private record Read(
      Map<Long, String> threads,
      Map<Long, Edges> edges,
      Map<Long, Long> counters,
      Set<Long> flowsFrom,
      Set<Long> flowsTo) {
    static Read of(byte[] file, String label) {
      Read read =
          new Read(
              new HashMap<>(), new HashMap<>(), new HashMap<>(), new TreeSet<>(), new TreeSet<>());
      Map<Long, String> names = new HashMap<>();
      for (ProtoReader packet : ProtoReader.of(file).messages(1)) {
        assertThat(packet.number(10)).isEqualTo(1);
        for (ProtoReader interned : packet.messages(12)) {
          for (ProtoReader name : interned.messages(2)) names.put(name.number(1), name.text(2));
          assertThat(names).doesNotContainKey(0L);
        }
        for (ProtoReader track : packet.messages(60)) {
          if (track.has(4)) read.threads.put(track.number(1), track.message(4).text(5));
          if (track.has(8)) assertThat(read.threads).containsKey(track.number(5));
        }
        for (ProtoReader event : packet.messages(11)) {
          read.event(packet.number(8), event, names, label);
        }
      }
      return read;
    }

    private void event(long at, ProtoReader event, Map<Long, String> names, String label) {
      Edges track = edges.computeIfAbsent(event.number(11), _ -> new Edges(label));
      if (event.number(9) == 1) track.begin(names.get(event.number(10)), at);
      if (event.number(9) == 2) track.end(at);
      for (int i = 0; i < event.numbers(31).size(); i++) {
        long value = event.numbers(12).get(i);
        Long before = counters.put(event.numbers(31).get(i), value);
        assertThat(before == null ? 0 : before).as(label).isLessThanOrEqualTo(value);
      }
      flowsFrom.addAll(event.numbers(47));
      flowsTo.addAll(event.numbers(48));
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
        List.of(new Profile.Path(-1, "region", false)),
        Profile.Calibration.NONE,
        new SystemActivity(List.of(), List.of(), -1, -1, -1, -1, -1, -1, -1),
        List.of(),
        Profile.Slips.NONE);
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
