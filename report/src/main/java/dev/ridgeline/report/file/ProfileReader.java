package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.Contention;
import dev.ridgeline.profiler.Profile.Device;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Pool;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Waits;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.json.JsonObject;
import java.util.List;
import java.util.function.Function;

/** Reads what {@link ProfileWriter} writes and refuses everything else. */
final class ProfileReader {
  private ProfileReader() {}

  static Profile profile(JsonObject json) {
    List<String> names = json.texts("names");
    List<Profile.Path> paths = paths(json.object("paths"), names);
    List<Lane> lanes = json.objects("lanes", lane -> lane(lane, names, paths.size()));
    Profile profile =
        new Profile(
            json.choice("level", Level.class),
            json.instant("started"),
            json.number("wallNanos", 0),
            lanes,
            list(json, "devices", device -> device(device, names, paths.size())),
            paths,
            calibration(json.object("calibration")),
            ProfileJson.RECORDS.read(json.object("system"), SystemActivity.class),
            json.objects("ledger", entry -> ProfileJson.RECORDS.read(entry, LedgerEntry.class)),
            ProfileJson.RECORDS.read(json.object("slips"), Slips.class),
            json.has("samples") ? SamplesJson.read(json.object("samples"), lanes) : Samples.NONE,
            list(json, "pools", pool -> ProfileJson.RECORDS.read(pool, Pool.class)),
            json.has("waits") ? waits(json.object("waits"), lanes) : Waits.NONE);
    json.end();
    return profile;
  }

  /** A list that is left out when it is empty. */
  private static <T> List<T> list(JsonObject json, String name, Function<JsonObject, T> made) {
    return json.has(name) ? json.objects(name, made) : List.of();
  }

  private static Calibration calibration(JsonObject json) {
    Calibration calibration = ProfileJson.RECORDS.read(json, Calibration.class);
    // The outer part alone is a difference of two measurements, which noise may turn negative.
    if (calibration.clockNanos() < 0) throw json.fail("clockNanos", "a cost below 0");
    if (calibration.innerNanos() < 0) throw json.fail("innerNanos", "a cost below 0");
    if (calibration.scopeNanos() < 0) {
      throw json.fail("outerNanos", "makes the cost of a scope less than 0");
    }
    return calibration;
  }

  private static Waits waits(JsonObject json, List<Lane> lanes) {
    Columns columns = ProfileWriter.contentions();
    columns.texts(json, "texts");
    JsonObject object = json.object("contentions");
    List<Contention> rows = columns.read(object, Contention.class);
    for (int i = 0; i < rows.size(); i++) {
      Contention row = rows.get(i);
      if (!isNode(lanes, row.lane(), row.node())) {
        throw object.fail("node[" + i + "]", "no such scope");
      }
      boolean known = row.ownerLane() >= 0 || row.ownerNode() >= 0;
      if (known && !isNode(lanes, row.ownerLane(), row.ownerNode())) {
        throw object.fail("ownerNode[" + i + "]", "no such scope");
      }
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

  private static boolean isNode(List<Lane> lanes, int lane, int node) {
    boolean isLane = lane >= 0 && lane < lanes.size();
    return isLane && node >= 0 && node < lanes.get(lane).nodes().size();
  }

  private static List<Profile.Path> paths(JsonObject json, List<String> names) {
    List<Profile.Path> paths = ProfileWriter.paths(names).read(json, Profile.Path.class);
    for (int i = 0; i < paths.size(); i++) {
      NodesJson.requireEarlier(json, paths.get(i).parent(), i);
    }
    return paths;
  }

  private static Lane lane(JsonObject json, List<String> names, int paths) {
    List<Node> nodes = NodesJson.read(json.object("nodes"), names, paths);
    Lane lane =
        new Lane(
            json.text("thread"),
            json.flag("virtual"),
            json.number("threads", 0),
            nodes,
            trace(json, nodes.size()));
    json.end();
    return lane;
  }

  private static Device device(JsonObject json, List<String> names, int paths) {
    JsonObject nodes = json.object("operations");
    List<Node> operations = NodesJson.read(nodes, names, paths);
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
            trace(json, operations.size()));
    json.end();
    return device;
  }

  private static Trace trace(JsonObject of, int nodes) {
    if (!of.has("trace")) return Trace.EMPTY;
    JsonObject json = of.object("trace");
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
