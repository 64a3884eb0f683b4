package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.SampleProfiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(CONCURRENT)
class PprofTest {
  private static final List<ToLongFunction<Node>> CPU =
      List.of(
          Node::calls,
          node -> alone(node, place -> place.work().bytes()),
          node -> alone(node, place -> place.work().flops()),
          Node::selfNanos);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everySampleTypeAddsUpToTheTree(long seed) throws IOException {
    Profile profile = Play.random(seed, Level.TIME);
    CallTree tree = profile.tree();
    Read read = Read.of(cpu(profile));
    assertThat(read.types).containsExactly("calls", "bytes", "flops", "time");
    assertThat(read.all(3)).isEqualTo(profile.threadNanos());
    long bytes = tree.root().children().stream().mapToLong(top -> top.work().bytes()).sum();
    assertThat(read.all(1)).isEqualTo(bytes).isPositive();
    for (int type = 0; type < CPU.size(); type++) {
      Totals wanted = Totals.of(tree, CPU.get(type));
      assertThat(read.all(type)).isEqualTo(wanted.all());
      // Compared as stacks, so that places are not mixed up: names joined, odd ones included.
      assertThat(read.stacks(type)).isEqualTo(stacks(tree, CPU.get(type)));
    }
  }

  @Test
  void theHeaderSaysWhenAndHowLongAndWhatToShowFirst() throws IOException {
    Profile profile = SampleProfiles.random(1, 50, 3, Level.TIME);
    Read read = Read.of(cpu(profile));
    assertThat(read.strings.getFirst()).isEmpty();
    assertThat(read.strings).doesNotHaveDuplicates();
    assertThat(read.message.number(9)).isEqualTo(1794736800_123456789L);
    assertThat(read.message.number(10)).isEqualTo(profile.wallNanos());
    assertThat(read.string(read.message.number(14))).isEqualTo("time");
    assertThat(read.message.messages(5)).allMatch(function -> function.number(1) > 0);
    assertThat(read.message.messages(4)).allMatch(location -> location.number(1) > 0);
  }

  @Test
  void samplesAreLabelledWithTheirThread() throws IOException {
    Profile profile = SampleProfiles.random(1, 50, 3, Level.TIME);
    Read read = Read.of(cpu(profile));
    Map<String, Long> byThread = new HashMap<>();
    for (ProtoReader sample : read.message.messages(2)) {
      for (ProtoReader label : sample.messages(3)) {
        assertThat(read.string(label.number(1))).isEqualTo("thread");
        byThread.merge(read.string(label.number(2)), sample.packed(2).getLast(), Long::sum);
      }
    }
    Map<String, Long> wanted = new HashMap<>();
    profile.lanes().forEach(lane -> wanted.put(lane.thread(), lane.totalNanos()));
    assertThat(byThread).isEqualTo(wanted);
  }

  @Test
  void withoutDeclaredWorkThereAreNoTypesForIt() throws IOException {
    Profile made = Play.random(1, Level.TIME);
    Profile idle =
        new Profile(
            made.level(),
            made.started(),
            made.wallNanos(),
            List.of(),
            List.of(),
            List.of(),
            made.calibration(),
            made.system(),
            made.ledger(),
            made.slips(),
            made.samples(),
            List.of(),
            Profile.Waits.NONE);
    assertThat(Read.of(cpu(idle)).types).containsExactly("calls", "time");
  }

  @Test
  void lanesOfOneNameWhoseAllocationIsUnknownAreNamedOnce() throws IOException {
    Profile made = SampleProfiles.random(1, 30, 1, Level.TIME);
    Profile twice =
        new Profile(
            Level.ALLOCATION,
            made.started(),
            made.wallNanos(),
            List.of(made.lanes().getFirst(), made.lanes().getFirst()),
            List.of(),
            made.paths(),
            made.calibration(),
            made.system(),
            made.ledger(),
            made.slips(),
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE);
    Read read = Read.of(allocation(twice));
    assertThat(read.message.numbers(13).stream().map(read::string))
        .containsExactly(
            "left out, for what they allocate is unknown: " + made.lanes().getFirst().thread());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void allocationIsWhatTheThreadsKnowAndOthersAreNamed(long seed) throws IOException {
    Profile profile = Play.random(seed, Level.ALLOCATION);
    Read read = Read.of(allocation(profile));
    long known = 0;
    boolean silent = false;
    for (Profile.Lane lane : profile.lanes()) {
      for (Profile.Node node : lane.nodes()) {
        silent |= !node.allocation().known();
        if (node.allocation().known()) known += node.allocation().selfBytes();
      }
    }
    assertThat(read.types).containsExactly("alloc_space");
    assertThat(read.all(0)).as("seed %d", seed).isEqualTo(known);
    List<String> comments = read.message.numbers(13).stream().map(read::string).toList();
    if (silent) {
      assertThat(comments).containsExactly("left out, for what they allocate is unknown: virtual");
    } else {
      assertThat(comments).isEmpty();
    }
  }

  @Test
  void theSameProfileIsTheSameFile() throws IOException {
    Profile profile = Play.random(3, Level.ALLOCATION);
    assertThat(cpu(profile)).isEqualTo(cpu(profile));
    assertThat(allocation(profile)).isEqualTo(allocation(profile));
    // The date of a gzip file is in its bytes 4 to 7.
    assertThat(cpu(profile)).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);
  }

  @Test
  void goReadsEachSampleTypeAsTheTreeHasIt() throws IOException {
    Program go = Program.of("go", "golang-go");
    Profile profile = SampleProfiles.random(5, 300, 4, Level.ALLOCATION);
    Files.write(folder.resolve("cpu.pb.gz"), cpu(profile));
    Files.write(folder.resolve("alloc.pb.gz"), allocation(profile));
    CallTree tree = profile.tree();
    String[] types = {"calls", "bytes", "flops", "time"};
    for (int i = 0; i < types.length; i++) {
      compare(top(go, "cpu.pb.gz", types[i]), Totals.of(tree, CPU.get(i)));
    }
    long known =
        profile.lanes().stream()
            .filter(lane -> !lane.virtual())
            .flatMap(lane -> lane.nodes().stream())
            .mapToLong(node -> node.allocation().selfBytes())
            .sum();
    Matcher total = SHOWN.matcher(top(go, "alloc.pb.gz", "alloc_space"));
    assertThat(total.find()).isTrue();
    assertThat(Double.parseDouble(total.group(2))).isCloseTo(known, within(0.01 * known));
    assertThat(go.run(folder, "tool", "pprof", "-comments", "alloc.pb.gz"))
        .contains("left out, for what they allocate is unknown: virtual");
    assertThat(top(go, "cpu.pb.gz", "time", "-tagfocus=thread=worker-1"))
        .startsWith("raw times: ")
        .contains("of %dns total".formatted(profile.threadNanos()))
        .containsPattern(" %dns +\\S+  task\n".formatted(profile.lanes().get(1).totalNanos()))
        .containsPattern(" 0 +0% .* main\n");
  }

  @Test
  void goShowsSampledCodeInsideItsScopeAndLineByLine() throws IOException {
    Program go = Program.of("go", "golang-go");
    Path source = Files.createDirectories(folder.resolve("src/app")).resolve("Engine.java");
    Files.write(source, IntStream.rangeClosed(1, 300).mapToObj(i -> "line " + i + ";").toList());
    Profile profile = SampleProfiles.random(5, 300, 4, Level.ALLOCATION);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Pprof.samples(profile, out);
    Files.write(folder.resolve("samples.pb.gz"), out.toByteArray());
    Files.write(folder.resolve("alloc.pb.gz"), allocation(profile));

    Samples samples = profile.samples();
    long nanos = samples.cpu().stream().mapToLong(Samples.Cpu::weight).sum();
    long count = samples.cpu().stream().mapToLong(Samples.Cpu::samples).sum();
    assertThat(top(go, "samples.pb.gz", "cpu")).contains(" of %dns total".formatted(nanos));
    assertThat(top(go, "samples.pb.gz", "samples")).contains(" of %d total".formatted(count));
    long bytes = samples.allocations().stream().mapToLong(Samples.Allocated::bytes).sum();
    long objects = samples.allocations().stream().mapToLong(Samples.Allocated::samples).sum();
    assertThat(top(go, "alloc.pb.gz", "alloc_space_sampled"))
        .contains(" of %dB total".formatted(bytes));
    // Its unit is a count, whatever its name.
    assertThat(top(go, "alloc.pb.gz", "alloc_objects")).contains(" of %d".formatted(objects));
    long inUse = samples.live().stream().mapToLong(Samples.Allocated::bytes).sum();
    long alive = samples.live().stream().mapToLong(Samples.Allocated::samples).sum();
    assertThat(top(go, "alloc.pb.gz", "inuse_space")).contains(" of %dB total".formatted(inUse));
    assertThat(top(go, "alloc.pb.gz", "inuse_objects")).contains(" of %d".formatted(alive));
    compare(top(go, "alloc.pb.gz", "inuse_space"), flat(profile, samples.live()));

    Samples.Cpu row =
        samples.cpu().stream()
            .filter(r -> r.lane() >= 0 && r.stack() >= 0)
            .filter(r -> samples.stack(r.stack()).getFirst().type().startsWith("app."))
            .findFirst()
            .orElseThrow();
    Samples.Location leaf = samples.stack(row.stack()).getFirst();
    assertThat(
            go.run(
                folder,
                "tool",
                "pprof",
                "-list=" + leaf.method() + "$",
                "-source_path=src",
                "samples.pb.gz"))
        .containsPattern(" %d:line %d;".formatted(leaf.line(), leaf.line()));
    String thread = profile.lanes().get(row.lane()).thread();
    assertThat(top(go, "samples.pb.gz", "samples", "-tagfocus=thread=" + thread))
        .contains(leaf.type() + "." + leaf.method());
  }

  @Test
  void goComparesTwoProfilesAndDrawsThem() throws IOException {
    Program go = Program.of("go", "golang-go");
    Program.of("dot", "graphviz");
    Profile profile = SampleProfiles.random(5, 300, 4, Level.TIME);
    Files.write(folder.resolve("before.pb.gz"), cpu(profile));
    Files.write(folder.resolve("after.pb.gz"), cpu(profile));
    Files.write(folder.resolve("other.pb.gz"), cpu(SampleProfiles.random(6, 300, 4, Level.TIME)));
    assertThat(top(go, "after.pb.gz", "time", "-diff_base=before.pb.gz")).contains("for 0,");
    assertThat(top(go, "other.pb.gz", "time", "-diff_base=before.pb.gz"))
        .doesNotContain("for 0,")
        .contains("gelu");
    go.run(folder, "tool", "pprof", "-svg", "-output=graph.svg", "after.pb.gz");
    assertThat(folder.resolve("graph.svg")).content().contains("</svg>").contains("gelu");
  }

  private static final Pattern SHOWN =
      Pattern.compile("Showing nodes accounting for ([-.\\d]+)\\w*, .*? of ([-.\\d]+)\\w* total");
  private static final Pattern ROW =
      Pattern.compile("(?m)^ *([-.\\d]+)\\w* +\\S+ +\\S+ +([-.\\d]+)\\w* +\\S+  (.*)$");

  private String top(Program go, String file, String type, String... more) {
    String unit =
        type.equals("time") || type.equals("cpu")
            ? "ns"
            : type.contains("_space") ? "B" : "minimum";
    if (type.equals("bytes")) unit = "B";
    List<String> arguments = new ArrayList<>(List.of("tool", "pprof", "-top"));
    arguments.addAll(List.of("-nodecount=100000", "-nodefraction=0", "-unit=" + unit));
    arguments.add("-sample_index=" + type);
    arguments.addAll(List.of(more));
    arguments.add(file);
    return go.run(folder, null, arguments);
  }

  private static void compare(String top, Totals wanted) {
    Matcher total = SHOWN.matcher(top);
    assertThat(total.find()).as(top).isTrue();
    assertThat(Double.parseDouble(total.group(2)))
        .isCloseTo(wanted.all(), within(0.01 * wanted.all()));
    Map<String, Long> flat = new TreeMap<>();
    Matcher row = ROW.matcher(top);
    while (row.find()) {
      String name = row.group(3);
      long cum = wanted.cum().get(name);
      flat.put(name, wanted.flat().getOrDefault(name, 0L));
      assertThat(Double.parseDouble(row.group(1)))
          .as(name)
          .isCloseTo(flat.get(name), within(0.01 * flat.get(name)));
      assertThat(Double.parseDouble(row.group(2))).as(name).isCloseTo(cum, within(0.01 * cum));
    }
    assertThat(flat.keySet()).isEqualTo(wanted.cum().keySet());
  }

  /** The bytes of objects by the innermost place, and by every place on their stacks. */
  private static Totals flat(Profile profile, List<Samples.Allocated> rows) {
    Map<String, Long> flat = new HashMap<>();
    Map<String, Long> cum = new HashMap<>();
    long all = 0;
    for (Samples.Allocated row : rows) {
      List<String> stack = new ArrayList<>();
      for (Samples.Location at : profile.samples().stack(row.stack())) {
        stack.add(at.kind().outsideJava() ? at.method() : at.type() + "." + at.method());
      }
      if (row.lane() < 0) stack.add(row.lane() == -1 ? "(no scope)" : "(scope unknown)");
      else stack.addAll(profile.tree().places(row.lane()).get(row.node()).path().reversed());
      flat.merge(stack.getFirst(), row.bytes(), Long::sum);
      for (String name : Set.copyOf(stack)) cum.merge(name, row.bytes(), Long::sum);
      all += row.bytes();
    }
    return new Totals(all, flat, cum);
  }

  /** What is left of a place's work after that inside; nothing inside one that declares less. */
  private static long alone(Node node, ToLongFunction<Node> work) {
    for (Node above = node.parent(); above.parent() != null; above = above.parent()) {
      if (sum(above, work) > work.applyAsLong(above)) return 0;
    }
    long inside = sum(node, work);
    long declared = work.applyAsLong(node);
    return inside > declared ? declared : declared - inside;
  }

  private static long sum(Node node, ToLongFunction<Node> value) {
    return node.children().stream().mapToLong(value).sum();
  }

  private static Map<List<String>, Long> stacks(CallTree tree, ToLongFunction<Node> value) {
    Map<List<String>, Long> stacks = new HashMap<>();
    for (Node node : tree.nodes()) {
      stacks.merge(node.path().reversed(), value.applyAsLong(node), Long::sum);
    }
    stacks.values().removeIf(sum -> sum == 0);
    return stacks;
  }

  private static byte[] cpu(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Pprof.cpu(profile, out);
    return out.toByteArray();
  }

  private static byte[] allocation(Profile profile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Pprof.allocation(profile, out);
    return out.toByteArray();
  }

  /** A file read back. */
  private record Read(ProtoReader message, List<String> strings, List<String> types) {
    static Read of(byte[] file) throws IOException {
      try (var in = new GZIPInputStream(new ByteArrayInputStream(file))) {
        ProtoReader message = ProtoReader.of(in.readAllBytes());
        List<String> strings = message.texts(6);
        return new Read(
            message,
            strings,
            message.messages(1).stream().map(type -> strings.get((int) type.number(1))).toList());
      }
    }

    String string(long index) {
      return strings.get((int) index);
    }

    long all(int type) {
      return message.messages(2).stream().mapToLong(sample -> sample.packed(2).get(type)).sum();
    }

    Map<List<String>, Long> stacks(int type) {
      Map<Long, String> functions = new HashMap<>();
      message.messages(5).forEach(f -> functions.put(f.number(1), string(f.number(2))));
      Map<Long, String> locations = new HashMap<>();
      message
          .messages(4)
          .forEach(l -> locations.put(l.number(1), functions.get(l.message(4).number(1))));
      Map<List<String>, Long> stacks = new HashMap<>();
      for (ProtoReader sample : message.messages(2)) {
        stacks.merge(
            sample.packed(1).stream().map(locations::get).toList(),
            sample.packed(2).get(type),
            Long::sum);
      }
      stacks.values().removeIf(sum -> sum == 0);
      return stacks;
    }
  }
}
