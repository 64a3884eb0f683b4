package dev.ridgeline.report;

import dev.ridgeline.profiler.Histogram;
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
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** Writes the layout that {@link ProfileJson} describes. */
final class ProfileWriter {
  private final JsonGenerator json;
  private final Columns columns;
  private final Map<String, Long> names = new LinkedHashMap<>();

  ProfileWriter(JsonGenerator json) {
    this.json = json;
    this.columns = new Columns(json);
  }

  void write(Profile profile) {
    ProfileJson.SCHEMA.begin(json);
    json.writeStringProperty("level", profile.level().name());
    json.writeStringProperty("started", profile.started().toString());
    json.writeNumberProperty("wallNanos", profile.wallNanos());
    calibration(profile.calibration());
    slips(profile.slips());
    system(profile.system());
    ledger(profile.ledger());
    names(profile);
    json.writeObjectPropertyStart("paths");
    columns.all("parent", profile.paths(), Profile.Path::parent);
    columns.all("name", profile.paths(), path -> names.get(path.name()));
    columns.column("task", profile.paths(), path -> path.task() ? 1 : 0, 0);
    json.writeEndObject();
    json.writeArrayPropertyStart("lanes");
    profile.lanes().forEach(this::lane);
    json.writeEndArray();
    if (!profile.devices().isEmpty()) devices(profile.devices());
    new SamplesWriter(json).write(profile.samples());
    if (!profile.pools().isEmpty()) pools(profile.pools());
    if (!profile.waits().equals(Waits.NONE)) waits(profile.waits());
    json.writeEndObject();
  }

  private void calibration(Calibration calibration) {
    json.writeObjectPropertyStart("calibration");
    real("clockNanos", calibration.clockNanos());
    real("innerNanos", calibration.innerNanos());
    real("outerNanos", calibration.outerNanos());
    real("residualNanos", calibration.residualNanos());
    json.writeEndObject();
  }

  private void slips(Slips slips) {
    json.writeObjectPropertyStart("slips");
    json.writeNumberProperty("misplacedEnds", slips.misplacedEnds());
    json.writeNumberProperty("unclosed", slips.unclosed());
    json.writeNumberProperty("suppressed", slips.suppressed());
    json.writeNumberProperty("lateTasks", slips.lateTasks());
    json.writeEndObject();
  }

  private void system(SystemActivity system) {
    json.writeObjectPropertyStart("system");
    json.writeArrayPropertyStart("collectors");
    for (var collector : system.collectors()) {
      json.writeStartObject();
      json.writeStringProperty("name", collector.name());
      json.writeNumberProperty("collections", collector.collections());
      json.writeNumberProperty("millis", collector.millis());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("pauses");
    for (var pause : system.pauses()) {
      json.writeStartObject();
      json.writeNumberProperty("atNanos", pause.atNanos());
      json.writeNumberProperty("nanos", pause.nanos());
      json.writeStringProperty("collector", pause.collector());
      json.writeStringProperty("cause", pause.cause());
      json.writeNumberProperty("heapAfterBytes", pause.heapAfterBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberProperty("jitMillis", system.jitMillis());
    json.writeNumberProperty("cpuNanos", system.cpuNanos());
    real("stealFraction", system.stealFraction());
    json.writeNumberProperty("heapAfterGcBytes", system.heapAfterGcBytes());
    json.writeNumberProperty("heapUsedBytes", system.heapUsedBytes());
    json.writeNumberProperty("heapMaxBytes", system.heapMaxBytes());
    json.writeNumberProperty("peakRssBytes", system.peakRssBytes());
    json.writeEndObject();
  }

  private void ledger(List<LedgerEntry> ledger) {
    json.writeArrayPropertyStart("ledger");
    for (LedgerEntry entry : ledger) {
      json.writeStartObject();
      json.writeStringProperty("owner", entry.owner());
      json.writeNumberProperty("bytes", entry.bytes());
      json.writeNumberProperty("highWaterBytes", entry.highWaterBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void pools(List<Pool> pools) {
    json.writeArrayPropertyStart("pools");
    for (Pool pool : pools) {
      json.writeStartObject();
      json.writeStringProperty("name", pool.name());
      json.writeNumberProperty("threads", pool.threads());
      json.writeNumberProperty("regions", pool.regions());
      json.writeNumberProperty("tasks", pool.tasks());
      json.writeNumberProperty("dispatchNanos", pool.dispatchNanos());
      json.writeNumberProperty("waitNanos", pool.waitNanos());
      json.writeNumberProperty("spinNanos", pool.spinNanos());
      json.writeNumberProperty("parkNanos", pool.parkNanos());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void waits(Waits waits) {
    List<Contention> rows = waits.contentions();
    Map<String, Long> texts = new LinkedHashMap<>();
    for (Contention row : rows) {
      texts.putIfAbsent(row.lock(), (long) texts.size());
      texts.putIfAbsent(row.ownerThread(), (long) texts.size());
    }
    json.writeObjectPropertyStart("waits");
    json.writeNumberProperty("looks", waits.looks());
    json.writeNumberProperty("everyNanos", waits.everyNanos());
    json.writeNumberProperty("runnableNanos", waits.runnableNanos());
    json.writeArrayPropertyStart("texts");
    texts.keySet().forEach(json::writeString);
    json.writeEndArray();
    json.writeObjectPropertyStart("contentions");
    columns.all("lane", rows, Contention::lane);
    columns.all("node", rows, Contention::node);
    columns.all("lock", rows, row -> texts.get(row.lock()));
    columns.all("ownerThread", rows, row -> texts.get(row.ownerThread()));
    columns.column("ownerLane", rows, Contention::ownerLane, -1);
    columns.column("ownerNode", rows, Contention::ownerNode, -1);
    columns.all("nanos", rows, Contention::nanos);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void names(Profile profile) {
    profile.paths().forEach(path -> index(path.name()));
    for (Lane lane : profile.lanes()) lane.nodes().forEach(node -> index(node.name()));
    for (Device device : profile.devices()) device.operations().forEach(op -> index(op.name()));
    json.writeArrayPropertyStart("names");
    names.keySet().forEach(json::writeString);
    json.writeEndArray();
  }

  private void index(String name) {
    names.putIfAbsent(name, (long) names.size());
  }

  private void devices(List<Device> devices) {
    json.writeArrayPropertyStart("devices");
    for (Device device : devices) {
      json.writeStartObject();
      json.writeStringProperty("name", device.name());
      json.writeNumberProperty("busyNanos", device.busyNanos());
      json.writeNumberProperty("idleNanos", device.idleNanos());
      nodes("operations", device.operations());
      trace(device.trace());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void lane(Lane lane) {
    json.writeStartObject();
    json.writeStringProperty("thread", lane.thread());
    json.writeBooleanProperty("virtual", lane.virtual());
    json.writeNumberProperty("threads", lane.threads());
    nodes("nodes", lane.nodes());
    trace(lane.trace());
    json.writeEndObject();
  }

  private void nodes(String property, List<Node> nodes) {
    json.writeObjectPropertyStart(property);
    columns.all("parent", nodes, Node::parent);
    columns.all("name", nodes, node -> names.get(node.name()));
    columns.column("origin", nodes, Node::origin, Node.SCOPE);
    columns.column("calls", nodes, node -> node.time().calls(), 0);
    columns.column("open", nodes, node -> node.time().open(), 0);
    columns.column("totalNanos", nodes, node -> node.time().totalNanos(), 0);
    columns.column("selfNanos", nodes, node -> node.time().selfNanos(), 0);
    columns.column("minNanos", nodes, node -> node.time().minNanos(), 0);
    columns.column("maxNanos", nodes, node -> node.time().maxNanos(), 0);
    columns.column(
        "allocatedBytes", nodes, node -> node.allocation().totalBytes(), Profile.UNKNOWN);
    columns.column(
        "selfAllocatedBytes", nodes, node -> node.allocation().selfBytes(), Profile.UNKNOWN);
    columns.column("bytes", nodes, node -> node.work().bytes(), 0);
    columns.column("flops", nodes, node -> node.work().flops(), 0);
    columns.column("ops", nodes, node -> node.work().ops(), 0);
    columns.column("form", nodes, node -> node.work().form().ordinal(), 0);
    columns.column("regions", nodes, node -> node.fanOut().regions(), 0);
    columns.column("fanThreads", nodes, node -> node.fanOut().threads(), 0);
    columns.column("fanWallNanos", nodes, node -> node.fanOut().wallNanos(), 0);
    columns.column("fanOfferedNanos", nodes, node -> node.fanOut().offeredNanos(), 0);
    columns.column("fanUsedNanos", nodes, node -> node.fanOut().usedNanos(), 0);
    columns.column("fanMaxNanos", nodes, node -> node.fanOut().maxNanos(), 0);
    columns.column("fanUnevenNanos", nodes, node -> node.fanOut().unevenNanos(), 0);
    columns.column("lockNanos", nodes, node -> node.waiting().lockNanos(), 0);
    columns.column("parkedNanos", nodes, node -> node.waiting().parkedNanos(), 0);
    columns.column("sleepNanos", nodes, node -> node.waiting().sleepNanos(), 0);
    columns.column("ioNanos", nodes, node -> node.waiting().ioNanos(), 0);
    columns.column("otherWaitNanos", nodes, node -> node.waiting().otherNanos(), 0);
    histograms(nodes);
    json.writeEndObject();
  }

  /** One list for all nodes: of each, its first bucket, how many follow, and their counts. */
  private void histograms(List<Node> nodes) {
    json.writeArrayPropertyStart("histograms");
    for (Node node : nodes) {
      Histogram histogram = node.time().histogram();
      long[] counts = histogram.counts();
      json.writeNumber(histogram.first());
      json.writeNumber(counts.length);
      for (long count : counts) json.writeNumber(count);
    }
    json.writeEndArray();
  }

  private void trace(Trace trace) {
    if (trace.equals(Trace.EMPTY)) return;
    json.writeObjectPropertyStart("trace");
    json.writeNumberProperty("dropped", trace.dropped());
    json.writeArrayPropertyStart("events");
    for (int i = 0; i < trace.size(); i++) {
      json.writeNumber(trace.node(i));
      json.writeNumber(trace.startNanos(i));
      json.writeNumber(trace.durationNanos(i));
      json.writeNumber(trace.allocatedBytes(i));
      json.writeNumber(trace.bytes(i));
      json.writeNumber(trace.flops(i));
    }
    json.writeEndArray();
    if (IntStream.range(0, trace.size()).anyMatch(i -> trace.handedOverBy(i) >= 0)) {
      json.writeArrayPropertyStart("handedOverBy");
      for (int i = 0; i < trace.size(); i++) json.writeNumber(trace.handedOverBy(i));
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void real(String name, double value) {
    if (!Double.isFinite(value)) throw new IllegalArgumentException(name + " is " + value);
    json.writeNumberProperty(name, value);
  }
}
