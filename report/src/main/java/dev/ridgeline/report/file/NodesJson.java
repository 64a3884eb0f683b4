package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Allocation;
import dev.ridgeline.profiler.Profile.FanOut;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Waiting;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.report.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/** The nodes of a lane or a device by column, the way {@link ProfileJson} describes. */
final class NodesJson {
  private static final long ANY = Long.MIN_VALUE;
  private static final long MANY = Long.MAX_VALUE;
  private static final Arithmetic[] FORMS = Arithmetic.values();

  /** What a node takes on the heap, roughly: a small file of zeros can ask for a lot of it. */
  private static final long BYTES_PER_NODE = 320;

  /** A column that is left out when all of it is the neutral value. */
  private record Column(String name, ToLongFunction<Node> value, long least, long neutral) {
    /** One of amounts. */
    Column(String name, ToLongFunction<Node> value) {
      this(name, value, 0, 0);
    }
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("origin", Node::origin, Node.SCOPE, Node.SCOPE),
          new Column("calls", node -> node.time().calls()),
          new Column("open", node -> node.time().open()),
          new Column("totalNanos", node -> node.time().totalNanos()),
          // A snapshot of a running thread may see a child ahead of its parent.
          new Column("selfNanos", node -> node.time().selfNanos(), ANY, 0),
          new Column("minNanos", node -> node.time().minNanos()),
          new Column("maxNanos", node -> node.time().maxNanos()),
          new Column("allocatedBytes", n -> n.allocation().totalBytes(), Profile.UNKNOWN, -1),
          new Column("selfAllocatedBytes", n -> n.allocation().selfBytes(), ANY, Profile.UNKNOWN),
          new Column("bytes", node -> node.work().bytes()),
          new Column("flops", node -> node.work().flops()),
          new Column("ops", node -> node.work().ops()),
          new Column("form", node -> node.work().form().ordinal()),
          new Column("regions", node -> node.fanOut().regions()),
          new Column("fanThreads", node -> node.fanOut().threads()),
          new Column("fanWallNanos", node -> node.fanOut().wallNanos()),
          new Column("fanOfferedNanos", node -> node.fanOut().offeredNanos()),
          new Column("fanUsedNanos", node -> node.fanOut().usedNanos()),
          new Column("fanMaxNanos", node -> node.fanOut().maxNanos()),
          new Column("fanUnevenNanos", node -> node.fanOut().unevenNanos()),
          new Column("lockNanos", node -> node.waiting().lockNanos()),
          new Column("parkedNanos", node -> node.waiting().parkedNanos()),
          new Column("sleepNanos", node -> node.waiting().sleepNanos()),
          new Column("ioNanos", node -> node.waiting().ioNanos()),
          new Column("otherWaitNanos", node -> node.waiting().otherNanos()));

  private NodesJson() {}

  /** Writes nodes whose names are in a table. */
  static void write(JsonGenerator json, String property, List<Node> nodes, Columns names) {
    json.writeObjectPropertyStart(property);
    Columns.column(json, "parent", nodes, Node::parent, null);
    Columns.column(json, "name", nodes, node -> names.indexOf(node.name()), null);
    for (Column column : COLUMNS) {
      Columns.column(json, column.name, nodes, column.value, column.neutral);
    }
    // One list for all nodes: of each, its first bucket, how many follow, and their counts.
    json.writeArrayPropertyStart("histograms");
    for (Node node : nodes) {
      Histogram histogram = node.time().histogram();
      long[] counts = histogram.counts();
      json.writeNumber(histogram.first());
      json.writeNumber(counts.length);
      for (long count : counts) json.writeNumber(count);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Reads nodes; {@code paths} is how many places there are to come from. */
  static List<Node> read(JsonObject json, List<String> names, int paths) {
    long[] parent = json.numbers("parent");
    for (int i = 0; i < parent.length; i++) requireEarlier(json, parent[i], i);
    int size = parent.length;
    json.reserve(size * BYTES_PER_NODE);
    if (!json.has("name")) throw json.fail("name", "missing");
    long[] name = json.column("name", size, 0, names.size() - 1, 0);
    Map<String, long[]> columns = new HashMap<>();
    for (Column column : COLUMNS) {
      long most =
          switch (column.name) {
            case "origin" -> paths - 1;
            case "form" -> FORMS.length - 1;
            default -> MANY;
          };
      columns.put(column.name, json.column(column.name, size, column.least, most, column.neutral));
    }
    // Older files have means over calls, from which nothing of these follows.
    json.column("fanMeanNanos", size, 0, MANY, 0);
    json.column("fanWorkers", size, 0, MANY, 0);
    Histogram[] histograms = histograms(json, columns.get("calls"));
    json.end();
    List<Node> nodes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Row row = new Row(columns, i);
      nodes.add(
          new Node(
              (int) parent[i],
              names.get((int) name[i]),
              (int) row.of("origin"),
              row.time(histograms[i]),
              row.allocation(),
              row.work(),
              row.fanOut(),
              row.waiting(json)));
    }
    return nodes;
  }

  /** Parents stand before their children: that alone makes a list of nodes a tree. */
  static void requireEarlier(JsonObject json, long parent, int node) {
    if (parent < -1 || parent >= node) {
      throw json.fail("parent[" + node + "]", parent + " is no earlier node");
    }
  }

  private record Row(Map<String, long[]> columns, int at) {
    long of(String column) {
      return columns.get(column)[at];
    }

    Time time(Histogram histogram) {
      return new Time(
          of("calls"),
          of("open"),
          of("totalNanos"),
          of("selfNanos"),
          of("minNanos"),
          of("maxNanos"),
          histogram);
    }

    Allocation allocation() {
      return new Allocation(of("allocatedBytes"), of("selfAllocatedBytes"));
    }

    Work work() {
      Work work = new Work(of("bytes"), of("flops"), of("ops"), FORMS[(int) of("form")]);
      return work.declared() ? work : Work.NONE;
    }

    FanOut fanOut() {
      return new FanOut(
          of("regions"),
          of("fanThreads"),
          of("fanWallNanos"),
          of("fanOfferedNanos"),
          of("fanUsedNanos"),
          of("fanMaxNanos"),
          of("fanUnevenNanos"));
    }

    Waiting waiting(JsonObject json) {
      long[] kinds = {
        of("lockNanos"), of("parkedNanos"), of("sleepNanos"), of("ioNanos"), of("otherWaitNanos")
      };
      // As doubles, for a sum of five may be more than a long holds.
      double all = Arrays.stream(kinds).asDoubleStream().sum();
      if (all == 0) return Waiting.NONE;
      if (all > Math.max(0, of("selfNanos"))) {
        throw json.fail("selfNanos[" + at + "]", "less than it waited");
      }
      return new Waiting(kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]);
    }
  }

  private static Histogram[] histograms(JsonObject json, long[] calls) {
    int size = calls.length;
    long[] flat = json.numbers("histograms");
    Histogram[] histograms = new Histogram[size];
    int at = 0;
    for (int i = 0; i < size; i++) {
      if (at + 2 > flat.length) throw json.fail("histograms", "ends before node " + i);
      long first = flat[at];
      long length = flat[at + 1];
      at += 2;
      if (first < 0 || length < 0 || first > Short.MAX_VALUE || length > flat.length - at) {
        throw json.fail("histograms", "bad buckets for node " + i);
      }
      long[] counts = Arrays.copyOfRange(flat, at, at + (int) length);
      at += (int) length;
      for (long count : counts) {
        if (count < 0) throw json.fail("histograms", "a negative count for node " + i);
      }
      try {
        histograms[i] = Histogram.of((int) first, counts);
      } catch (IllegalArgumentException _) {
        throw json.fail("histograms", "buckets out of range for node " + i);
      }
      if (histograms[i].total() != calls[i]) {
        throw json.fail("histograms", "counts other than the calls of node " + i);
      }
    }
    if (at != flat.length) throw json.fail("histograms", "goes on after the last node");
    return histograms;
  }
}
