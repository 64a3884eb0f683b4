package dev.ridgeline.report;

import dev.ridgeline.profiler.Arithmetic;
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
import dev.ridgeline.profiler.Profile.Pool;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Waiting;
import dev.ridgeline.profiler.Profile.Waits;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads what {@link ProfileWriter} writes and refuses everything else. */
final class ProfileReader {
  private static final long ANY = Long.MIN_VALUE;
  private static final long MANY = Long.MAX_VALUE;
  private static final Arithmetic[] FORMS = Arithmetic.values();

  /** What a node takes on the heap, roughly: a small file of zeros can ask for a lot of it. */
  private static final long BYTES_PER_NODE = 320;

  private ProfileReader() {}

  static Profile profile(JsonObject json) {
    List<String> names = json.texts("names");
    List<Profile.Path> paths = paths(json.object("paths"), names);
    List<Lane> lanes = new ArrayList<>();
    for (JsonObject lane : json.objects("lanes")) lanes.add(lane(lane, names, paths.size()));
    List<Device> devices = new ArrayList<>();
    if (json.has("devices")) {
      for (JsonObject device : json.objects("devices")) devices.add(device(device, names, paths));
    }
    Profile profile =
        new Profile(
            json.choice("level", Level.class),
            json.instant("started"),
            json.number("wallNanos", 0),
            lanes,
            devices,
            paths,
            calibration(json.object("calibration")),
            system(json.object("system")),
            ledger(json),
            slips(json.object("slips")),
            json.has("samples")
                ? new SamplesReader(lanes).read(json.object("samples"))
                : Samples.NONE,
            json.has("pools") ? pools(json) : List.of(),
            json.has("waits") ? waits(json.object("waits"), lanes) : Waits.NONE);
    json.end();
    return profile;
  }

  private static Calibration calibration(JsonObject json) {
    Calibration calibration =
        new Calibration(
            json.real("clockNanos"),
            json.real("innerNanos"),
            json.real("outerNanos"),
            json.real("residualNanos"));
    json.end();
    // The outer part alone is a difference of two measurements, which noise may turn negative.
    if (calibration.clockNanos() < 0) throw json.fail("clockNanos", "a cost below 0");
    if (calibration.innerNanos() < 0) throw json.fail("innerNanos", "a cost below 0");
    if (calibration.innerNanos() + calibration.outerNanos() < 0) {
      throw json.fail("outerNanos", "makes the cost of a scope less than 0");
    }
    return calibration;
  }

  private static Slips slips(JsonObject json) {
    Slips slips =
        new Slips(
            json.number("misplacedEnds", 0),
            json.number("unclosed", 0),
            json.number("suppressed", 0),
            json.number("lateTasks", 0));
    json.end();
    return slips;
  }

  private static SystemActivity system(JsonObject json) {
    List<SystemActivity.Collector> collectors = new ArrayList<>();
    for (JsonObject collector : json.objects("collectors")) {
      collectors.add(
          new SystemActivity.Collector(
              collector.text("name"),
              collector.number("collections", Profile.UNKNOWN),
              collector.number("millis", Profile.UNKNOWN)));
      collector.end();
    }
    List<SystemActivity.Pause> pauses = new ArrayList<>();
    for (JsonObject pause : json.objects("pauses")) {
      pauses.add(
          new SystemActivity.Pause(
              pause.number("atNanos", ANY), // one that began before the session is negative
              pause.number("nanos", 0),
              pause.text("collector"),
              pause.text("cause"),
              pause.number("heapAfterBytes", Profile.UNKNOWN)));
      pause.end();
    }
    SystemActivity system =
        new SystemActivity(
            collectors,
            pauses,
            json.number("jitMillis", Profile.UNKNOWN),
            json.number("cpuNanos", Profile.UNKNOWN),
            json.real("stealFraction"),
            json.number("heapAfterGcBytes", Profile.UNKNOWN),
            json.number("heapUsedBytes", Profile.UNKNOWN),
            json.number("heapMaxBytes", Profile.UNKNOWN),
            json.number("peakRssBytes", Profile.UNKNOWN));
    json.end();
    return system;
  }

  private static List<LedgerEntry> ledger(JsonObject json) {
    List<LedgerEntry> ledger = new ArrayList<>();
    for (JsonObject entry : json.objects("ledger")) {
      ledger.add(
          new LedgerEntry(
              entry.text("owner"), entry.number("bytes", 0), entry.number("highWaterBytes", 0)));
      entry.end();
    }
    return ledger;
  }

  private static List<Pool> pools(JsonObject json) {
    List<Pool> pools = new ArrayList<>();
    for (JsonObject pool : json.objects("pools")) {
      pools.add(
          new Pool(
              pool.text("name"),
              pool.number("threads", 0),
              pool.number("regions", 0),
              pool.number("tasks", 0),
              pool.number("dispatchNanos", 0),
              pool.number("waitNanos", 0),
              pool.number("spinNanos", 0),
              pool.number("parkNanos", 0)));
      pool.end();
    }
    return pools;
  }

  private static Waits waits(JsonObject json, List<Lane> lanes) {
    List<String> texts = json.texts("texts");
    JsonObject columns = json.object("contentions");
    long[] lane = columns.numbers("lane");
    int size = lane.length;
    long[] node = columns.column("node", size, 0, Integer.MAX_VALUE, 0);
    long[] lock = columns.column("lock", size, 0, texts.size() - 1, 0);
    long[] thread = columns.column("ownerThread", size, 0, texts.size() - 1, 0);
    long[] ownerLane = columns.column("ownerLane", size, -1, lanes.size() - 1, -1);
    long[] ownerNode = columns.column("ownerNode", size, -1, Integer.MAX_VALUE, -1);
    long[] nanos = columns.column("nanos", size, 0, MANY, 0);
    columns.end();
    List<Contention> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (!isNode(lanes, lane[i], node[i])) throw columns.fail("node[" + i + "]", "no such scope");
      boolean known = ownerLane[i] >= 0 || ownerNode[i] >= 0;
      if (known && !isNode(lanes, ownerLane[i], ownerNode[i])) {
        throw columns.fail("ownerNode[" + i + "]", "no such scope");
      }
      rows.add(
          new Contention(
              (int) lane[i],
              (int) node[i],
              texts.get((int) lock[i]),
              texts.get((int) thread[i]),
              (int) ownerLane[i],
              (int) ownerNode[i],
              nanos[i]));
    }
    Waits waits =
        new Waits(
            json.number("looks", 0),
            json.number("everyNanos", 0),
            json.number("runnableNanos", 0),
            rows);
    json.end();
    return waits;
  }

  private static boolean isNode(List<Lane> lanes, long lane, long node) {
    return lane >= 0
        && lane < lanes.size()
        && node >= 0
        && node < lanes.get((int) lane).nodes().size();
  }

  private static List<Profile.Path> paths(JsonObject json, List<String> names) {
    long[] parents = parents(json);
    int size = parents.length;
    long[] name = names(json, size, names);
    long[] task = json.column("task", size, 0, 1, 0);
    json.end();
    List<Profile.Path> paths = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      paths.add(new Profile.Path((int) parents[i], names.get((int) name[i]), task[i] == 1));
    }
    return paths;
  }

  private static Lane lane(JsonObject json, List<String> names, int paths) {
    List<Node> nodes = nodes(json.object("nodes"), names, paths);
    Lane lane =
        new Lane(
            json.text("thread"),
            json.flag("virtual"),
            json.number("threads", 0),
            nodes,
            json.has("trace") ? trace(json.object("trace"), nodes.size()) : Trace.EMPTY);
    json.end();
    return lane;
  }

  private static Device device(JsonObject json, List<String> names, List<Profile.Path> paths) {
    JsonObject nodes = json.object("operations");
    List<Node> operations = nodes(nodes, names, paths.size());
    for (int i = 0; i < operations.size(); i++) {
      Node operation = operations.get(i);
      if (operation.parent() >= 0) throw nodes.fail("parent[" + i + "]", "inside of another");
      if (operation.origin() < 0) throw nodes.fail("origin[" + i + "]", "no path");
    }
    Device device =
        new Device(
            json.text("name"),
            json.number("busyNanos", 0),
            json.number("idleNanos", 0),
            operations,
            json.has("trace") ? trace(json.object("trace"), operations.size()) : Trace.EMPTY);
    json.end();
    return device;
  }

  private static List<Node> nodes(JsonObject json, List<String> names, int paths) {
    long[] parent = parents(json);
    int size = parent.length;
    json.reserve(size * BYTES_PER_NODE);
    long[] name = names(json, size, names);
    long[] origin = json.column("origin", size, Node.SCOPE, paths - 1, Node.SCOPE);
    long[] calls = json.column("calls", size, 0, MANY, 0);
    long[] open = json.column("open", size, 0, MANY, 0);
    long[] total = json.column("totalNanos", size, 0, MANY, 0);
    // A snapshot of a running thread may see a child ahead of its parent: self can be negative.
    long[] self = json.column("selfNanos", size, ANY, MANY, 0);
    long[] min = json.column("minNanos", size, 0, MANY, 0);
    long[] max = json.column("maxNanos", size, 0, MANY, 0);
    long[] allocated = json.column("allocatedBytes", size, Profile.UNKNOWN, MANY, Profile.UNKNOWN);
    long[] selfAllocated = json.column("selfAllocatedBytes", size, ANY, MANY, Profile.UNKNOWN);
    long[] bytes = json.column("bytes", size, 0, MANY, 0);
    long[] flops = json.column("flops", size, 0, MANY, 0);
    long[] ops = json.column("ops", size, 0, MANY, 0);
    long[] form = json.column("form", size, 0, FORMS.length - 1, 0);
    long[] regions = json.column("regions", size, 0, MANY, 0);
    long[] fanThreads = json.column("fanThreads", size, 0, MANY, 0);
    long[] fanMax = json.column("fanMaxNanos", size, 0, MANY, 0);
    long[] fanWall = json.column("fanWallNanos", size, 0, MANY, 0);
    long[] fanOffered = json.column("fanOfferedNanos", size, 0, MANY, 0);
    long[] fanUsed = json.column("fanUsedNanos", size, 0, MANY, 0);
    long[] fanUneven = json.column("fanUnevenNanos", size, 0, MANY, 0);
    // Older files have means over calls, from which nothing of these follows.
    json.column("fanMeanNanos", size, 0, MANY, 0);
    json.column("fanWorkers", size, 0, MANY, 0);
    long[] lock = json.column("lockNanos", size, 0, MANY, 0);
    long[] parked = json.column("parkedNanos", size, 0, MANY, 0);
    long[] sleep = json.column("sleepNanos", size, 0, MANY, 0);
    long[] io = json.column("ioNanos", size, 0, MANY, 0);
    long[] other = json.column("otherWaitNanos", size, 0, MANY, 0);
    Histogram[] histograms = histograms(json, calls);
    json.end();
    List<Node> nodes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      nodes.add(
          new Node(
              (int) parent[i],
              names.get((int) name[i]),
              (int) origin[i],
              new Time(calls[i], open[i], total[i], self[i], min[i], max[i], histograms[i]),
              allocation(allocated[i], selfAllocated[i]),
              work(new Work(bytes[i], flops[i], ops[i], FORMS[(int) form[i]])),
              fanOut(
                  new FanOut(
                      regions[i],
                      fanThreads[i],
                      fanWall[i],
                      fanOffered[i],
                      fanUsed[i],
                      fanMax[i],
                      fanUneven[i])),
              waiting(
                  new Waiting(lock[i], parked[i], sleep[i], io[i], other[i]), self[i], i, json)));
    }
    return nodes;
  }

  private static Allocation allocation(long total, long self) {
    boolean unknown = total == Profile.UNKNOWN && self == Profile.UNKNOWN;
    return unknown ? Allocation.NOT_RECORDED : new Allocation(total, self);
  }

  private static Work work(Work work) {
    return work.declared() ? work : Work.NONE;
  }

  private static Waiting waiting(Waiting waiting, long self, int node, JsonObject json) {
    if (waiting.equals(Waiting.NONE)) return Waiting.NONE;
    // Doubles, for a sum of five may be more than a long holds.
    double all =
        (double) waiting.lockNanos()
            + waiting.parkedNanos()
            + waiting.sleepNanos()
            + waiting.ioNanos()
            + waiting.otherNanos();
    if (all > Math.max(0, self)) throw json.fail("selfNanos[" + node + "]", "less than it waited");
    return waiting;
  }

  private static FanOut fanOut(FanOut fanOut) {
    return fanOut.equals(FanOut.NONE) ? FanOut.NONE : fanOut;
  }

  /** Parents stand before their children: that alone makes a list of nodes a tree. */
  private static long[] parents(JsonObject json) {
    long[] parents = json.numbers("parent");
    for (int i = 0; i < parents.length; i++) {
      if (parents[i] < -1 || parents[i] >= i) {
        throw json.fail("parent[" + i + "]", parents[i] + " is no earlier node");
      }
    }
    return parents;
  }

  private static long[] names(JsonObject json, int size, List<String> names) {
    if (!json.has("name")) throw json.fail("name", "missing");
    return json.column("name", size, 0, names.size() - 1, 0);
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

  private static Trace trace(JsonObject json, int nodes) {
    long dropped = json.number("dropped", 0);
    long[] events = json.numbers("events");
    if (events.length % Trace.STRIDE != 0) throw json.fail("events", "half an event");
    int size = events.length / Trace.STRIDE;
    // Whether there is such a lane is for those to look up who follow it.
    long[] by = json.column("handedOverBy", size, -1, Integer.MAX_VALUE - 1, -1);
    json.end();
    for (int i = 0; i < events.length; i += Trace.STRIDE) {
      if (events[i] < 0 || events[i] >= nodes) {
        throw json.fail("events[" + i + "]", "there is no node " + events[i]);
      }
      if (events[i + 2] < 0) throw json.fail("events[" + (i + 2) + "]", "a negative duration");
      events[i] = Trace.task((int) events[i], (int) by[i / Trace.STRIDE]);
    }
    return Trace.of(dropped, events);
  }
}
