package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Allocation;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.FanOut;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.file.ProfileJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(CONCURRENT)
class ProfileJsonTest {
  private static final SystemActivity QUIET =
      new SystemActivity(List.of(), List.of(), -1, -1, -1, -1, -1, -1, -1);

  private static final String START = "{\"ridgeline\":\"profile\",\"version\":1";

  @TempDir Path folder;

  @Test
  void whatIsReadEqualsWhatWasWritten() throws IOException {
    for (long seed = 0; seed < 60; seed++) {
      Level level = Level.values()[(int) (seed % 4)];
      Profile profile =
          SampleProfiles.random(seed, (int) (1 + seed * 11), (int) (1 + seed % 5), level);
      assertThat(read(write(profile))).as("seed %d", seed).isEqualTo(profile);
    }
  }

  @Test
  void anEmptyProfileComesBack() throws IOException {
    Profile empty =
        new Profile(
            Level.OFF,
            Instant.EPOCH,
            0,
            List.of(),
            List.of(),
            List.of(),
            Calibration.NONE,
            QUIET,
            List.of(),
            Slips.NONE,
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE);
    assertThat(read(write(empty))).isEqualTo(empty);
    Profile emptyLane = withLanes(empty, new Lane("main", false, 1, List.of(), Trace.EMPTY));
    assertThat(read(write(emptyLane))).isEqualTo(emptyLane);
  }

  @Test
  void extremeValuesComeBack() throws IOException {
    long huge = Long.MAX_VALUE;
    String odd = "\u0000\n\"\\ プール \uD83D\uDE00 half \uD83D, \u2028 </script>";
    Node node =
        new Node(
            -1,
            odd,
            0,
            new Time(huge, huge, huge, Long.MIN_VALUE, huge, huge, Histogram.of(318, huge - 1, 1)),
            new Allocation(huge, Long.MIN_VALUE),
            new Work(huge, huge, huge, Arithmetic.AMX_INT8),
            new FanOut(huge, huge, huge, huge, huge, huge, huge));
    Profile profile =
        new Profile(
            Level.TRACE,
            Instant.MAX,
            huge,
            List.of(
                new Lane(
                    odd,
                    true,
                    huge,
                    List.of(
                        node,
                        new Node(
                            0,
                            "",
                            -1,
                            node.time(),
                            Allocation.NOT_RECORDED,
                            Work.NONE,
                            FanOut.NONE)),
                    Trace.of(huge, 1, Long.MIN_VALUE, huge, -1, huge, huge))),
            List.of(),
            List.of(new Profile.Path(-1, odd, true), new Profile.Path(0, "", false)),
            new Calibration(Double.MIN_VALUE, Double.MAX_VALUE, -0.0, 0.1 + 0.2),
            new SystemActivity(
                List.of(new SystemActivity.Collector(odd, huge, huge)),
                List.of(new SystemActivity.Pause(Long.MIN_VALUE, huge, odd, odd, huge)),
                huge,
                huge,
                1e-300,
                huge,
                huge,
                huge,
                huge),
            List.of(new LedgerEntry(odd, huge, huge)),
            new Slips(huge, huge, huge, huge),
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE);
    assertThat(read(write(profile))).isEqualTo(profile);
  }

  @Test
  void aMomentKeepsItsNanoseconds() throws IOException {
    for (String moment : List.of("2026-11-15T10:00:00.000000001Z", "-0044-03-15T12:00:00Z")) {
      Profile sample = SampleProfiles.random(1, 5, 1, Level.TIME);
      Profile profile =
          new Profile(
              sample.level(),
              Instant.parse(moment),
              sample.wallNanos(),
              sample.lanes(),
              List.of(),
              sample.paths(),
              sample.calibration(),
              sample.system(),
              sample.ledger(),
              sample.slips(),
              sample.samples(),
              List.of(),
              Profile.Waits.NONE);
      assertThat(read(write(profile)).started()).isEqualTo(profile.started());
    }
  }

  @Test
  void aDeepRecursionComesBack() throws IOException {
    Node[] nodes = new Node[20_000];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] =
          new Node(
              i - 1,
              "fib",
              Node.SCOPE,
              new Time(1, 0, 9, 9, 9, 9, Histogram.of(9, 1)),
              Allocation.NOT_RECORDED,
              Work.NONE,
              FanOut.NONE);
    }
    Profile profile =
        withLanes(
            SampleProfiles.random(1, 5, 1, Level.TIME),
            new Lane("main", false, 1, List.of(nodes), Trace.EMPTY));
    assertThat(read(write(profile))).isEqualTo(profile);
  }

  @Test
  void fiftyThousandNodesStayUnderFifteenMegabytes() throws IOException {
    byte[] json = write(SampleProfiles.random(7, 50_000, 4, Level.TRACE));
    assertThat(json.length).isLessThan(15_000_000);
  }

  @Test
  void valuesThatJsonCannotHoldAreTheWritersFault() {
    Profile sample = SampleProfiles.random(1, 5, 1, Level.TIME);
    Profile profile =
        new Profile(
            sample.level(),
            sample.started(),
            sample.wallNanos(),
            sample.lanes(),
            List.of(),
            sample.paths(),
            new Calibration(Double.NaN, 0, 0, 0),
            sample.system(),
            sample.ledger(),
            sample.slips(),
            sample.samples(),
            List.of(),
            Profile.Waits.NONE);
    assertThatThrownBy(() -> write(profile))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("clockNanos is NaN");
  }

  @Test
  void aDiskThatIsFullIsAnIoException() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    Profile profile = SampleProfiles.random(1, 5000, 1, Level.TIME);
    assertThatThrownBy(() -> ProfileJson.write(profile, full))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "version":1         | "version":7         | written by a newer Ridgeline (version 7; this one reads 1)
          "version":1         | "version":0         | written by an older Ridgeline (version 0; this one reads 1)
          "version":1         | "version":"1"       | does not say its version
          "version":1,        | ``                  | does not say its version
          "ridgeline":"profile" | "ridgeline":"run" | a Ridgeline run, not a profile
          "ridgeline":"profile" | "x":1             | not a file of Ridgeline
          "level":"TRACE"     | "level":"ALL"       | level: 'ALL' is none of [OFF, TIME, ALLOCATION, TRACE]
          "level":"TRACE"     | "level":true        | level: must be a text
          "level":"TRACE"     | "level":null        | null is not used in such files at line 1
          "level":"TRACE"     | "level":"OFF","level":"OFF" | 'level' is there twice at line 1
          "level":"TRACE"     | "level":"OFF","x":0 | x: unknown field
          "unclosed":         | "unClosed":         | slips.unclosed: missing
          "started":"2026     | "started":"MMXXVI   | started: 'MMXXVI-11-15T10:00:00.123456789Z' is not a UTC time
          "wallNanos":5       | "wallNanos":-5      | wallNanos: -5000000000 is below 0
          "wallNanos":5       | "wallNanos":9999999999999999999995 | a number with more than 64 bits at line 1
          "clockNanos":24.5   | "clockNanos":1e999  | a number beyond the range of doubles at line 1
          "clockNanos":24.5   | "clockNanos":-24.5  | calibration.clockNanos: a cost below 0
          "innerNanos":26     | "innerNanos":-26    | calibration.innerNanos: a cost below 0
          "outerNanos":31     | "outerNanos":-31    | calibration.outerNanos: makes the cost of a scope less than 0
          "virtual":false     | "virtual":0         | lanes[0].virtual: must be true or false
          "parent":[-1,0,     | "parent":[-1,1,     | lanes[0].nodes.parent[1]: 1 is no earlier node
          "parent":[-1,0,     | "parent":[-2,0,     | lanes[0].nodes.parent[0]: -2 is no earlier node
          "parent":[-1,0,     | "parent":[0,        | lanes[0].nodes.parent[0]: 0 is no earlier node
          "parent":[-1,0]     | "parent":[-1,1]     | paths.parent[1]: 1 is no earlier node
          "name":[0,1]        | "name":[0,99]       | paths.name[1]: 99 is above
          "name":[0,1]        | "name":[0]          | paths.name: has 1 values instead of 2
          "origin":[1,        | "origin":[2,        | lanes[1].nodes.origin[0]: 2 is above 1
          "origin":[1,        | "origin":[-3,       | lanes[1].nodes.origin[0]: -3 is below -2
          "calls":[           | "calls":[-          | lanes[0].nodes.calls[0]: -
          "calls":[           | "calls":[1,         | lanes[0].nodes.calls: has
          "calls":[           | "calls":[1.5,       | lanes[0].nodes.calls: must be a list of integers
          "calls":[           | "calls":["1",       | lanes[0].nodes.calls: must be a list of integers
          "allocatedBytes":[  | "allocatedBytes":[- | lanes[0].nodes.allocatedBytes[0]: -
          "histograms":[      | "histograms":[-     | lanes[0].nodes.histograms: bad buckets for node 0
          "histograms":[      | "histograms":[319,2,1,1, | lanes[0].nodes.histograms: buckets out of range for node 0
          "histograms":[      | "histograms":[3,1,-1, | lanes[0].nodes.histograms: a negative count for node 0
          "histograms":[      | "histograms":[0,0,  | lanes[0].nodes.histograms: counts other than the calls of node 0
          "histograms":[      | "histograms":[7,5000000, | lanes[0].nodes.histograms: bad buckets for node 0
          "calls":[           | "calls":[1          | lanes[0].nodes.histograms: counts other than the calls of node 0
          "events":[          | "events":[1,        | lanes[0].trace.events: half an event
          "events":[0,0,      | "events":[9999,0,   | lanes[0].trace.events[0]: there is no node 9999
          "events":[0,0,      | "events":[0,0,-     | lanes[0].trace.events[2]: a negative duration
          "dropped":0         | "dropped":-1        | lanes[0].trace.dropped: -1 is below 0
          "source":"CPU_TIME" | "source":"GUESS"    | samples.source: 'GUESS' is none of [NONE, CPU_TIME, EXECUTION, ASYNC]
          "caller":[-1        | "caller":[0         | samples.calls.caller[0]: 0 is no earlier call
          "line":[            | "line":[1,          | samples.locations.line: has
          "line":[            | "line":[-           | samples.locations.line[0]: -
          "kind":[            | "kind":[9           | samples.locations.kind[0]: 9
          "node":[            | "node":[9999,       | samples.cpu.node: has
          "lane":[            | "lane":[-9,         | samples.cpu.lane[0]: -9 is below -2
          "stack":[           | "stack":[99         | samples.cpu.stack[0]: 99
          "weight":[          | "weight":[-         | samples.cpu.weight[0]: -
          "live":{"lane":[    | "live":{"lane":[-9, | samples.live.lane[0]: -9 is below -2
          "live":             | "alive":            | samples.alive: unknown field
          "reason":[          | "reasons":[         | samples.deoptimizations.reason: missing
          "lost":             | "lots":             | samples.quality.lost: missing
          """)
  void everyFaultIsNamedInOneLine(String from, String to, String message) {
    String json =
        new String(written(SampleProfiles.random(3, 40, 3, Level.TRACE)), StandardCharsets.UTF_8);
    assertThat(json).contains(from);
    String damaged = json.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to));
    assertRefused(damaged, "p.json: " + message);
  }

  @Test
  void whatIsNotJsonIsRefused() {
    assertRefused("", "p.json: not a JSON object at line 1");
    assertRefused("[]", "p.json: not a JSON object");
    assertRefused("hello", "p.json: not JSON at line 1");
    assertRefused("\u0000\u0000\u0000\u0000", "p.json: not JSON");
    assertRefused("{}", "p.json: not a file of Ridgeline");
    assertRefused(START + "} {}", "p.json: something follows its end");
    assertRefused(START + ",\"a\":" + "[".repeat(100_000), "p.json: nested deeper than 12");
    assertRefused(START + ",\"a\":" + "{\"a\":".repeat(100_000), "p.json: nested deeper than 12");
    assertRefused(
        START + ",\"a\":\"" + "x".repeat(3_000_000), "p.json: holds a text, a number or a length");
    assertRefused(START + ",\"a\":\"b\nc: \u001b[31m\"}", "p.json: not JSON at line 1");
  }

  @Test
  void aTruncatedFileIsRefusedWhereverItEnds() {
    byte[] json = written(SampleProfiles.random(3, 6, 2, Level.TRACE));
    for (int length = 0; length < json.length; length++) {
      byte[] start = Arrays.copyOf(json, length);
      assertThatThrownBy(() -> read(start))
          .as("%d bytes", length)
          .isInstanceOf(FileException.class);
    }
  }

  @Test
  void damagedFilesAreRefusedOrStillValid() throws IOException {
    byte[] json = written(SampleProfiles.random(3, 30, 3, Level.TRACE));
    int valid = 0;
    for (long seed = 0; seed < 10_000; seed++) {
      byte[] damaged = Mutator.mutate(json, seed);
      try {
        Profile profile = read(damaged);
        assertThat(read(write(profile))).as("seed %d", seed).isEqualTo(profile);
        profile.tree();
        valid++;
      } catch (FileException e) {
        assertThat(e.getMessage()).as("seed %d", seed).startsWith("p.json: ").hasLineCount(1);
      } catch (Throwable e) {
        fail("seed " + seed, e);
      }
    }
    assertThat(valid).isGreaterThan(100);
  }

  @Test
  void aFileOverTheLimitIsRefusedUnread() throws IOException {
    Path file = folder.resolve("large.json");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(300L << 20);
    }
    assertThatThrownBy(() -> ProfileJson.read(file))
        .isInstanceOf(FileException.class)
        .hasMessage(file + ": 315 MB is too large for a profile (limit 268 MB)");
  }

  @Test
  void twoHundredMegabytesOfGarbageAreRefused() throws IOException {
    Path file = folder.resolve("garbage.json");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(200L << 20);
    }
    assertThatThrownBy(() -> ProfileJson.read(file)).hasMessageContaining("not JSON at line 1");
  }

  @Test
  void missingFilesAndFoldersAreSaidSo() {
    Path missing = folder.resolve("none.json");
    assertThatThrownBy(() -> ProfileJson.read(missing))
        .isInstanceOf(FileException.class)
        .hasMessage(missing + ": no such file or directory");
    assertThatThrownBy(() -> ProfileJson.read(folder)).hasMessage(folder + ": Is a directory");
  }

  private static Profile withLanes(Profile profile, Lane... lanes) {
    return new Profile(
        profile.level(),
        profile.started(),
        profile.wallNanos(),
        List.of(lanes),
        List.of(),
        profile.paths(),
        profile.calibration(),
        profile.system(),
        profile.ledger(),
        profile.slips(),
        profile.samples(),
        List.of(),
        Profile.Waits.NONE);
  }

  private static void assertRefused(String json, String message) {
    assertThatThrownBy(() -> read(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FileException.class)
        .message()
        .startsWith(message)
        .hasLineCount(1);
  }

  private static byte[] write(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProfileJson.write(profile, out);
    return out.toByteArray();
  }

  private static byte[] written(Profile profile) {
    try {
      return write(profile);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Profile read(byte[] json) throws IOException {
    return ProfileJson.read("p.json", new ByteArrayInputStream(json));
  }
}
