package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Scopes and samples as gzipped {@code profile.proto}, what {@code go tool pprof} reads: a stack
 * for each place of the merged tree, labelled with the thread that was there; sampled code stands
 * inside its scope.
 *
 * <p>Times of scopes are raw self times, so that their sum is the profile's thread time to the
 * nanosecond.
 */
public final class Pprof {
  private static final int LONGEST_PATH = 40;

  private final Profile profile;
  private final CallTree tree;
  private final Stacks stacks;
  private final List<String> names;
  private final PprofFile file;

  private Pprof(Profile profile, OutputStream out) throws IOException {
    this.profile = profile;
    this.tree = profile.tree();
    this.stacks = new Stacks(tree);
    this.names = stacks.names();
    this.file = new PprofFile(out);
  }

  /** Writes {@code cpu.pb.gz}: calls, time and, where declared, bytes and FLOPs. */
  public static void cpu(Profile profile, OutputStream out) throws IOException {
    new Pprof(profile, out).cpu();
  }

  /**
   * Writes {@code alloc.pb.gz}: heap bytes by the threads' own counters, and sampled objects, those
   * allocated and those still alive.
   */
  public static void allocation(Profile profile, OutputStream out) throws IOException {
    new Pprof(profile, out).allocation();
  }

  /** Writes {@code samples.pb.gz}: sampled stacks with file and line, inside their scopes. */
  public static void samples(Profile profile, OutputStream out) throws IOException {
    new Pprof(profile, out).samples();
  }

  private void cpu() throws IOException {
    boolean work = tree.root().children().stream().anyMatch(node -> node.work().declared());
    file.type("calls", "count");
    if (work) {
      file.type("bytes", "bytes");
      file.type("flops", "count");
    }
    // The last one is what viewers show that do not look for a default.
    file.type("time", "nanoseconds");
    WorkAlone bytes = new WorkAlone(tree, Work::bytes);
    WorkAlone flops = new WorkAlone(tree, Work::flops);
    for (int l = 0; l < profile.lanes().size(); l++) {
      Lane lane = profile.lanes().get(l);
      for (int i = 0; i < lane.nodes().size(); i++) {
        Profile.Node node = lane.nodes().get(i);
        Node place = tree.places(l).get(i);
        long calls = node.time().calls();
        long self = node.time().selfNanos();
        if (work) {
          long ownBytes = bytes.own(place, node.work());
          long ownFlops = flops.own(place, node.work());
          sample(place, lane.thread(), calls, ownBytes, ownFlops, self);
        } else {
          sample(place, lane.thread(), calls, self);
        }
      }
    }
    for (Node place : tree.nodes()) {
      if (work) sample(place, null, 0, bytes.rest(place), flops.rest(place), 0);
    }
    file.comment("raw times: the recorder's own cost of a scope is still in them");
    silenced("bytes", bytes);
    silenced("FLOPs", flops);
    file.end(profile, "time");
  }

  private void silenced(String kind, WorkAlone work) {
    if (work.silenced() == 0) return;
    String places = Quantity.many(work.silenced(), "place");
    file.comment(kind + " left out of " + places + ", for a scope around them declares less");
  }

  private void allocation() throws IOException {
    List<Samples.Allocated> sampled = profile.samples().allocations();
    List<Samples.Allocated> live = profile.samples().live();
    List<String> types = new ArrayList<>();
    if (!sampled.isEmpty()) types.addAll(List.of("alloc_objects", "alloc_space_sampled"));
    if (!live.isEmpty()) types.addAll(List.of("inuse_objects", "inuse_space"));
    types.add("alloc_space");
    for (String type : types) file.type(type, type.endsWith("objects") ? "count" : "bytes");
    // Lanes of virtual threads all have the same name.
    Set<String> silent = new LinkedHashSet<>();
    for (int l = 0; l < profile.lanes().size(); l++) {
      Lane lane = profile.lanes().get(l);
      boolean known = true;
      for (int i = 0; i < lane.nodes().size(); i++) {
        Profile.Allocation allocation = lane.nodes().get(i).allocation();
        if (allocation.known()) {
          long[] values = new long[types.size()];
          values[types.size() - 1] = allocation.selfBytes();
          sample(tree.places(l).get(i), lane.thread(), values);
        }
        known &= allocation.known();
      }
      if (!known) silent.add(lane.thread());
    }
    objects(sampled, types.indexOf("alloc_objects"), types.size());
    objects(live, types.indexOf("inuse_objects"), types.size());
    if (!silent.isEmpty()) {
      file.comment("left out, for what they allocate is unknown: " + String.join(", ", silent));
    }
    if (!sampled.isEmpty()) {
      file.comment("alloc_objects counts samples; alloc_space_sampled is what they stand for");
      file.comment(
          live.isEmpty()
              ? "no inuse_space: no collection found a sampled object of this session alive"
              : "inuse_objects counts samples that outlived the last collection; inuse_space is an"
                  + " estimate: what the heap has grown by, shared among them");
    }
    file.end(profile, "alloc_space");
  }

  /** Rows of objects; their number is the value {@code at}, their bytes the next. */
  private void objects(List<Samples.Allocated> rows, int at, int values) throws IOException {
    for (Samples.Allocated row : rows) {
      Map<String, String> labels = labels(row.lane(), row.node());
      labels.put("class", row.type());
      long[] sums = new long[values];
      sums[at] = row.samples();
      sums[at + 1] = row.bytes();
      file.sample(stack(row.lane(), row.node(), row.stack()), labels, sums);
    }
  }

  private void samples() throws IOException {
    file.type("samples", "count");
    boolean time = profile.samples().event() == Samples.Event.CPU;
    String event = time ? "cpu" : profile.samples().event().id().replace('-', '_');
    file.type(event, time ? "nanoseconds" : "count");
    for (Samples.Cpu row : profile.samples().cpu()) {
      file.sample(
          stack(row.lane(), row.node(), row.stack()),
          labels(row.lane(), row.node()),
          row.samples(),
          row.weight());
    }
    Samples.Quality quality = profile.samples().quality();
    file.comment("scopes are the outermost frames, and the label 'scope' of a sample");
    file.comment("sampled by " + profile.samples().engine());
    if (quality.lost() > 0) file.comment("samples lost: " + quality.lost());
    file.end(profile, event);
  }

  private void sample(Node place, String thread, long... values) throws IOException {
    if (Arrays.stream(values).allMatch(value -> value == 0)) return;
    file.sample(scopes(place), thread == null ? Map.of() : Map.of("thread", thread), values);
  }

  private long[] scopes(Node place) {
    return stacks.leafFirst(place).stream()
        .mapToLong(frame -> file.location(names.get(frame)))
        .toArray();
  }

  /** The code that was sampled, inside the scopes it was sampled in. */
  private long[] stack(int lane, int node, int stack) {
    LongStream code = profile.samples().stack(stack).stream().mapToLong(this::location);
    long[] around =
        lane < 0
            ? new long[] {file.location(lane == Samples.OUTSIDE ? "(no scope)" : "(scope unknown)")}
            : scopes(tree.places(lane).get(node));
    return LongStream.concat(code, LongStream.of(around)).toArray();
  }

  /** A function outside of Java has no source file: its library stands there. */
  private long location(Samples.Location at) {
    return at.kind().outsideJava()
        ? file.location(at.method(), at.type(), 0)
        : file.location(at.type() + "." + at.method(), source(at.type()), at.line());
  }

  private Map<String, String> labels(int lane, int node) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (lane < 0) return labels;
    labels.put("thread", profile.lanes().get(lane).thread());
    List<String> path = tree.places(lane).get(node).path();
    // A recursion has its end, which tells more than its beginning.
    int from = Math.max(0, path.size() - LONGEST_PATH);
    labels.put("scope", String.join(" › ", path.subList(from, path.size())));
    return labels;
  }

  /** Where the source of a class stands below its source folder; events do not tell. */
  static String source(String type) {
    int inner = type.indexOf('$');
    return (inner < 0 ? type : type.substring(0, inner)).replace('.', '/') + ".java";
  }
}
