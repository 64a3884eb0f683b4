package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.report.roofline.Bound;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/**
 * The data of the HTML page: a report as columnar JSON that can stand inside a script element.
 *
 * <p>The merged tree is numbered parents first, the root being 0, so that a subtree is a range and
 * every column is one flat array. A column in which nothing was recorded is left out.
 */
final class HtmlData {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .characterEscapes(new ScriptSafe())
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private static final int HOTSPOTS = 40;
  private static final int DEVICE_ROWS = 40;

  private final Report report;
  private final Profile profile;
  private final JsonGenerator json;
  private final List<CallTree.Node> nodes = new ArrayList<>();
  private final Map<CallTree.Node, Integer> indices = new IdentityHashMap<>();
  private final Map<String, Integer> names = new LinkedHashMap<>();

  private HtmlData(Report report, JsonGenerator json) {
    this.report = report;
    this.profile = report.profile();
    this.json = json;
    number(report.tree().root());
    report.tree().forEach(this::number);
  }

  static void write(Report report, Writer out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      new HtmlData(report, json).write();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void number(CallTree.Node node) {
    indices.put(node, nodes.size());
    nodes.add(node);
    names.putIfAbsent(node.name(), names.size());
  }

  private void write() {
    json.writeStartObject();
    answer();
    array("series", report.series(), this::series);
    layers();
    session();
    tree();
    percentilesByName();
    folds();
    regions();
    inside();
    hotspots();
    activity();
    new HtmlTrace(report, indices, json).write();
    json.writeEndObject();
  }

  private void answer() {
    Report.Headline headline = report.headline();
    json.writeStringProperty("title", headline.title());
    json.writeStringProperty("subtitle", headline.subtitle());
    array(
        "figures",
        headline.figures(),
        f -> strings("value", f.value(), "label", f.label(), "doubt", f.doubt()));
    array("system", report.system(), f -> strings("name", f.name(), "value", f.value()));
    array("workload", report.workload(), f -> strings("name", f.name(), "value", f.value()));
    array(
        "findings",
        report.findings(),
        f ->
            strings(
                "rule", f.rule(),
                "severity", f.severity().name().toLowerCase(Locale.ROOT),
                "what", f.what(),
                "advice", f.advice(),
                "win", f.win(),
                "command", f.command()));
  }

  private void series(Series series) {
    strings("name", series.name(), "unit", series.unit(), "note", series.note());
    json.writeArrayPropertyStart("labels");
    series.labels().forEach(json::writeString);
    json.writeEndArray();
    array(
        "parts",
        series.parts(),
        part -> {
          strings("name", part.name());
          json.writeArrayPropertyStart("values");
          part.values().forEach(json::writeNumber);
          json.writeEndArray();
        });
  }

  /** Tables of scopes taken apart: numbered families, and what devices did. */
  private void layers() {
    json.writeArrayPropertyStart("layers");
    for (Layers layers : Layers.of(report)) {
      json.writeStartObject();
      layers(layers);
      json.writeEndObject();
    }
    DeviceTable devices = DeviceTable.of(report.folded(), DEVICE_ROWS);
    if (!devices.rows().isEmpty()) {
      json.writeStartObject();
      devices(devices);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void devices(DeviceTable devices) {
    strings("where", "Devices", "note", "Time by the clocks of devices, under what asked for it.");
    json.writeArrayPropertyStart("titles");
    DeviceTable.TITLES.forEach(json::writeString);
    json.writeEndArray();
    array(
        "rows",
        devices.rows(),
        node -> {
          json.writeStringProperty("name", PathLabels.full(node));
          json.writeNumberProperty("depth", 1);
          json.writeNumberProperty("share", Math.round(devices.share(node) * 10_000) / 10_000.0);
          json.writeArrayPropertyStart("cells");
          devices.cells(node).forEach(json::writeString);
          json.writeEndArray();
        });
  }

  private void layers(Layers layers) {
    strings("where", layers.where(), "note", Layers.note());
    json.writeArrayPropertyStart("titles");
    layers.titles().forEach(json::writeString);
    json.writeEndArray();
    array(
        "rows",
        layers.rows(),
        row -> {
          json.writeStringProperty("name", row.name());
          json.writeNumberProperty("depth", row.depth());
          json.writeNumberProperty("share", Math.round(row.share() * 10_000) / 10_000.0);
          json.writeArrayPropertyStart("cells");
          layers.cells(row).forEach(json::writeString);
          json.writeEndArray();
        });
  }

  private void session() {
    json.writeStringProperty("level", profile.level().name());
    json.writeStringProperty("started", profile.started().toString());
    json.writeNumberProperty("wall", profile.wallNanos());
    Profile.Calibration cost = profile.calibration();
    json.writeObjectPropertyStart("calibration");
    json.writeNumberProperty("clock", tenths(cost.clockNanos()));
    json.writeNumberProperty("inner", tenths(cost.innerNanos()));
    json.writeNumberProperty("outer", tenths(cost.outerNanos()));
    json.writeNumberProperty("residual", tenths(cost.residualNanos()));
    json.writeEndObject();
    Profile.Slips slips = profile.slips();
    json.writeObjectPropertyStart("slips");
    json.writeNumberProperty("misplacedEnds", slips.misplacedEnds());
    json.writeNumberProperty("unclosed", slips.unclosed());
    json.writeNumberProperty("suppressed", slips.suppressed());
    json.writeNumberProperty("lateTasks", slips.lateTasks());
    json.writeEndObject();
  }

  private void tree() {
    json.writeArrayPropertyStart("names");
    names.keySet().forEach(json::writeString);
    json.writeEndArray();
    json.writeObjectPropertyStart("nodes");
    column("parent", n -> n.parent() == null ? -1 : indices.get(n.parent()));
    column("name", n -> names.get(n.name()));
    flags("task", CallTree.Node::isTask);
    flags("floor", n -> n.belowFloor(profile.calibration()));
    recorded("calls", CallTree.Node::calls, 0);
    recorded("open", CallTree.Node::open, 0);
    recorded("total", CallTree.Node::totalNanos, 0);
    recorded("self", CallTree.Node::selfNanos, 0);
    corrected("correctedTotal", CallTree.Node::correctedTotalNanos);
    corrected("correctedSelf", CallTree.Node::correctedSelfNanos);
    recorded("min", CallTree.Node::minNanos, 0);
    recorded("max", CallTree.Node::maxNanos, 0);
    recorded("p50", n -> n.percentileNanos(0.50), 0);
    recorded("p99", n -> n.percentileNanos(0.99), 0);
    recorded("allocated", CallTree.Node::allocatedBytes, Profile.UNKNOWN);
    recorded("selfAllocated", CallTree.Node::selfAllocatedBytes, Profile.UNKNOWN);
    recorded("bytes", n -> n.work().bytes(), 0);
    recorded("flops", n -> n.work().flops(), 0);
    recorded("ops", n -> n.work().ops(), 0);
    if (WaitWords.shown(report)) waits();
    bounds();
    json.writeEndObject();
  }

  private void waits() {
    recorded("waitLock", n -> n.waiting().lockNanos(), 0);
    recorded("waitParked", n -> n.waiting().parkedNanos(), 0);
    recorded("waitSleep", n -> n.waiting().sleepNanos(), 0);
    recorded("waitIo", n -> n.waiting().ioNanos(), 0);
    recorded("waitOther", n -> n.waiting().otherNanos(), 0);
  }

  /** Of each node the time it was measured by, the least, and what binds it; −1 for no bound. */
  private void bounds() {
    if (report.bounds().isEmpty()) return;
    corrected("boundTime", n -> bound(n) == null ? -1 : bound(n).nanos());
    corrected("idealTime", n -> bound(n) == null ? -1 : bound(n).idealNanos());
    Map<String, Integer> words = new LinkedHashMap<>();
    column(
        "limit",
        n -> {
          Bound bound = bound(n);
          return bound == null ? -1 : words.computeIfAbsent(bound.limitedBy(), _ -> words.size());
        });
    json.writeArrayPropertyStart("limits");
    words.keySet().forEach(json::writeString);
    json.writeEndArray();
  }

  private Bound bound(CallTree.Node node) {
    return node.parent() == null ? null : report.bounds().of(node);
  }

  /** Percentiles cannot be added up on the page, so those over all places of a name go along. */
  private void percentilesByName() {
    Histogram[] byName = new Histogram[names.size()];
    Arrays.fill(byName, Histogram.EMPTY);
    for (CallTree.Node node : nodes) {
      int name = names.get(node.name());
      byName[name] = byName[name].plus(node.histogram());
    }
    json.writeObjectPropertyStart("byName");
    for (int percent : new int[] {50, 99}) {
      json.writeArrayPropertyStart("p" + percent);
      for (Histogram histogram : byName) json.writeNumber(histogram.percentile(percent / 100.0));
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Which places are one where numbered scopes and recursion are folded; nothing without any. */
  private void folds() {
    CallTree folded = report.tree().folded(profile);
    if (folded == report.tree()) return;
    Map<CallTree.Node, CallTree.Node> foldOf = new IdentityHashMap<>();
    foldOf.put(report.tree().root(), folded.root());
    for (int lane = 0; lane < profile.lanes().size(); lane++) {
      List<CallTree.Node> places = report.tree().places(lane);
      for (int i = 0; i < places.size(); i++) {
        foldOf.put(places.get(i), folded.places(lane).get(i));
      }
    }
    Map<CallTree.Node, Integer> numbers = new IdentityHashMap<>();
    List<CallTree.Node> folds = new ArrayList<>();
    json.writeObjectPropertyStart("folded");
    json.writeArrayPropertyStart("of");
    for (CallTree.Node node : nodes) {
      // A place that handed over and was itself in no lane stands for itself.
      CallTree.Node fold = foldOf.getOrDefault(node, node);
      if (numbers.putIfAbsent(fold, folds.size()) == null) folds.add(fold);
      json.writeNumber(numbers.get(fold));
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("names");
    for (CallTree.Node fold : folds) json.writeString(PathLabels.name(fold));
    json.writeEndArray();
    for (int percent : new int[] {50, 99}) {
      json.writeArrayPropertyStart("p" + percent);
      for (CallTree.Node fold : folds) json.writeNumber(fold.percentileNanos(percent / 100.0));
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void regions() {
    array(
        "regions",
        nodes.stream().filter(n -> n.region() != null).toList(),
        n -> {
          Region region = n.region();
          json.writeNumberProperty("node", indices.get(n));
          json.writeStringProperty("threads", Explanation.threads(region));
          json.writeNumberProperty("tasks", region.tasks());
          if (region.wallNanos() < n.totalNanos()) {
            json.writeNumberProperty("part", (double) region.wallNanos() / n.totalNanos());
          }
          if (Evidence.waits(n)) json.writeBooleanProperty("waits", true);
          if (Evidence.handsOver(n)) json.writeBooleanProperty("handsOver", true);
          // JSON knows no NaN: without the property, the page says that it is not known.
          if (Double.isFinite(region.use())) {
            json.writeNumberProperty("use", Math.round(region.use() * 10_000) / 10_000.0);
          }
          if (Double.isFinite(region.imbalance())) {
            json.writeNumberProperty("imbalance", Math.round(region.imbalance() * 1000) / 1000.0);
          }
        });
  }

  /** What sampled code was doing; nothing where there are too few samples to say. */
  private void inside() {
    Map<CallTree.Node, Inside> inside = Inside.of(profile, report.tree());
    array(
        "inside",
        nodes.stream().filter(n -> inside.containsKey(n) && inside.get(n).tellsMethods()).toList(),
        n -> {
          Inside seen = inside.get(n);
          json.writeNumberProperty("node", indices.get(n));
          json.writeNumberProperty("samples", seen.samples());
          json.writeStringProperty("says", seen.sentence());
        });
    json.writeStringProperty("sampling", Inside.quality(profile.samples()));
  }

  /** Where sampled code was, when that says more than scopes do. */
  private void hotspots() {
    Hotspots hotspots = Hotspots.of(profile);
    if (!hotspots.leads()) return;
    json.writeObjectPropertyStart("hotspots");
    parts("methods", hotspots.methods(HOTSPOTS));
    parts("packages", hotspots.packages(HOTSPOTS));
    parts("threads", hotspots.threads(HOTSPOTS));
    json.writeEndObject();
  }

  private void parts(String name, List<Hotspots.Row> rows) {
    array(
        name,
        rows,
        row -> {
          json.writeStringProperty("name", row.name());
          json.writeNumberProperty("self", row.self());
          json.writeNumberProperty("total", row.total());
        });
  }

  private void activity() {
    SystemActivity system = profile.system();
    json.writeObjectPropertyStart("activity");
    array(
        "collectors",
        system.collectors(),
        c -> {
          json.writeStringProperty("name", c.name());
          json.writeNumberProperty("collections", c.collections());
          json.writeNumberProperty("millis", c.millis());
        });
    array(
        "pauses",
        system.pauses(),
        p -> {
          json.writeNumberProperty("at", p.atNanos());
          json.writeNumberProperty("nanos", p.nanos());
          json.writeStringProperty("collector", p.collector());
          json.writeStringProperty("cause", p.cause());
          json.writeNumberProperty("heapAfter", p.heapAfterBytes());
        });
    json.writeNumberProperty("jitMillis", system.jitMillis());
    json.writeNumberProperty("cpu", system.cpuNanos());
    json.writeNumberProperty("steal", system.stealFraction());
    json.writeNumberProperty("heapAfterGc", system.heapAfterGcBytes());
    json.writeNumberProperty("heapUsed", system.heapUsedBytes());
    json.writeNumberProperty("heapMax", system.heapMaxBytes());
    json.writeNumberProperty("peakRss", system.peakRssBytes());
    json.writeEndObject();
    array(
        "ledger",
        profile.ledger(),
        e -> {
          json.writeStringProperty("owner", e.owner());
          json.writeNumberProperty("bytes", e.bytes());
          json.writeNumberProperty("highWater", e.highWaterBytes());
        });
  }

  private <T> void array(String name, List<T> items, Consumer<T> body) {
    json.writeArrayPropertyStart(name);
    for (T item : items) {
      json.writeStartObject();
      body.accept(item);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void strings(String... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      json.writeStringProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
  }

  private void recorded(String name, ToLongFunction<CallTree.Node> value, long nothing) {
    // The root is no scope: its values alone do not make a column.
    if (nodes.stream().skip(1).anyMatch(n -> value.applyAsLong(n) != nothing)) column(name, value);
  }

  private void column(String name, ToLongFunction<CallTree.Node> value) {
    json.writeArrayPropertyStart(name);
    for (CallTree.Node node : nodes) json.writeNumber(value.applyAsLong(node));
    json.writeEndArray();
  }

  private void corrected(String name, ToDoubleFunction<CallTree.Node> value) {
    json.writeArrayPropertyStart(name);
    for (CallTree.Node node : nodes) json.writeNumber(tenths(value.applyAsDouble(node)));
    json.writeEndArray();
  }

  private void flags(String name, Predicate<CallTree.Node> flag) {
    json.writeArrayPropertyStart(name);
    for (int i = 0; i < nodes.size(); i++) if (flag.test(nodes.get(i))) json.writeNumber(i);
    json.writeEndArray();
  }

  private static double tenths(double nanos) {
    return Math.round(nanos * 10) / 10.0;
  }

  /** Escapes what could end the script element or open a comment inside it. */
  private static final class ScriptSafe extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private final int[] ascii = standardAsciiEscapesForJSON();

    ScriptSafe() {
      for (char c : new char[] {'<', '>', '&', '\''}) ascii[c] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii.clone();
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      // Half a surrogate pair has no encoding, and halves come here one by one.
      boolean half = Character.isSurrogate((char) character);
      return half || character == 0x2028 || character == 0x2029
          ? new SerializedString(String.format("\\u%04x", character))
          : null;
    }
  }
}
