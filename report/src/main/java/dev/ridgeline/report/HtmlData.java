package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.json.Records;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  private static final Records RECORDS = new Records();
  private static final int HOTSPOTS = 40;
  private static final int SIDE_ROWS = 12;
  private static final int MANY_ROWS = 100;
  private static final int PATH_WIDTH = 160;

  private final Report report;
  private final Profile profile;
  private final JsonGenerator json;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Node, Integer> indices = new IdentityHashMap<>();
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

  private void number(Node node) {
    indices.put(node, nodes.size());
    nodes.add(node);
    names.putIfAbsent(node.name(), names.size());
  }

  private void write() {
    Report folded = report.folded();
    Ranking ranking = new Ranking(folded, MANY_ROWS);
    Map<Node, Integer> links = links(folded.tree());
    json.writeStartObject();
    put("title", report.headline().title());
    put("subtitle", report.headline().subtitle());
    put("figures", report.headline().figures());
    put("system", report.system());
    put("workload", report.workload());
    put("findings", report.findings());
    put("series", report.series());
    put("level", profile.level());
    put("started", profile.started());
    put("wall", profile.wallNanos());
    put("calibration", profile.calibration());
    put("slips", profile.slips());
    put("activity", profile.system());
    put("ledger", profile.ledger());
    tree();
    says();
    put("sampling", Inside.quality(profile.samples()));
    List<Table> parts = new ArrayList<>();
    for (Layers layers : Layers.of(report)) parts.add(layers.table());
    parts.add(Tables.devices(folded, MANY_ROWS));
    tables("layers", parts, links);
    tables("hotspots", Tables.hotspots(report, HOTSPOTS, HOTSPOTS), links);
    tables("inside", List.of(Tables.inside(folded, ranking.hot())), links);
    tables("allocators", List.of(Tables.allocators(folded, ranking, SIDE_ROWS)), links);
    tables("called", List.of(Tables.called(folded, ranking, SIDE_ROWS)), links);
    tables("regions", List.of(Tables.regions(ranking, MANY_ROWS)), links);
    json.writeObjectPropertyStart("hot");
    hot("corrected", report);
    if (profile.calibration().scopeNanos() > 0) hot("raw", report.raw());
    json.writeEndObject();
    new HtmlTrace(report, indices, json).write();
    json.writeEndObject();
  }

  private void put(String name, Object value) {
    RECORDS.write(json, name, value);
  }

  private void tree() {
    put("names", names.keySet());
    json.writeObjectPropertyStart("nodes");
    column("parent", n -> n.parent() == null ? -1 : indices.get(n.parent()));
    column("name", n -> names.get(n.name()));
    flags("task", Node::isTask);
    flags("floor", n -> n.belowFloor(profile.calibration()));
    flags("waits", Evidence::waits);
    flags("handsOver", Evidence::handsOver);
    recorded("calls", Node::calls, 0);
    recorded("open", Node::open, 0);
    recorded("total", Node::totalNanos, 0);
    recorded("self", Node::selfNanos, 0);
    corrected("correctedTotal", Node::correctedTotalNanos);
    corrected("correctedSelf", Node::correctedSelfNanos);
    recorded("min", Node::minNanos, 0);
    recorded("max", Node::maxNanos, 0);
    recorded("p50", n -> n.percentileNanos(0.50), 0);
    recorded("p99", n -> n.percentileNanos(0.99), 0);
    recorded("allocated", Node::allocatedBytes, Profile.UNKNOWN);
    recorded("selfAllocated", Node::selfAllocatedBytes, Profile.UNKNOWN);
    recorded("bytes", n -> n.work().bytes(), 0);
    recorded("flops", n -> n.work().flops(), 0);
    json.writeEndObject();
  }

  /** What else there is to say about places: parallel regions, and what samples saw inside. */
  private void says() {
    Map<Node, Inside> inside = Inside.of(profile, report.tree());
    json.writeArrayPropertyStart("says");
    for (Node node : nodes) {
      List<String> all = new ArrayList<>();
      if (node.region() != null) {
        List<String> cells = Tables.region(node);
        all.add(
            "%s tasks on %s threads, imbalance %s"
                .formatted(cells.get(5), cells.get(2), cells.get(3)));
      }
      Inside seen = inside.get(node);
      if (seen != null && seen.tellsMethods()) all.add("inside: " + seen.sentence());
      if (!all.isEmpty()) put(node, all);
    }
    json.writeEndArray();
  }

  private void put(Node node, List<String> says) {
    json.writeStartObject();
    put("node", indices.get(node));
    put("says", says);
    json.writeEndObject();
  }

  /** Of places in another tree of this profile one each that they are made of. */
  private Map<Node, Integer> links(CallTree tree) {
    Map<Node, Integer> links = new IdentityHashMap<>();
    int[] rows = placesIn(tree);
    List<Node> others = tree.nodes();
    for (int i = rows.length - 1; i > 0; i--) if (rows[i] >= 0) links.put(others.get(rows[i]), i);
    return links;
  }

  /** Of each node the place in another tree that it is part of, −1 for none. */
  private int[] placesIn(CallTree tree) {
    Map<Node, Integer> places = new IdentityHashMap<>();
    for (Node node : tree.nodes()) places.put(node, places.size());
    int[] placeOf = new int[nodes.size()];
    Arrays.fill(placeOf, -1);
    for (int lane = 0; lane < profile.timeline().size(); lane++) {
      List<Node> here = report.tree().places(lane);
      List<Node> there = tree.places(lane);
      for (int i = 0; i < here.size(); i++) {
        placeOf[indices.get(here.get(i))] = places.get(there.get(i));
      }
    }
    return placeOf;
  }

  private void tables(String name, List<Table> tables, Map<Node, Integer> links) {
    json.writeArrayPropertyStart(name);
    for (Table table : tables) {
      if (table.rows().isEmpty()) continue;
      json.writeStartObject();
      put("title", table.title());
      put("head", table.head());
      put("columns", table.columns());
      put("notes", table.notes());
      json.writeArrayPropertyStart("rows");
      List<String> labels = table.names(PATH_WIDTH);
      for (int i = 0; i < labels.size(); i++) {
        Table.Row row = table.rows().get(i);
        json.writeStartObject();
        put("name", labels.get(i));
        put("depth", row.depth());
        put("share", Math.round(row.share() * 10_000) / 10_000.0);
        put("cells", row.cells());
        if (links.containsKey(row.node())) put("node", links.get(row.node()));
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Hot paths by one clock, in every way that the page can show them. */
  private void hot(String clock, Report shown) {
    json.writeObjectPropertyStart(clock);
    Report folded = shown.folded();
    view("place", shown);
    if (folded.tree() != shown.tree()) view("fold", folded);
    view("name", shown.byName());
    json.writeEndObject();
  }

  private void view(String name, Report shown) {
    List<Node> rows = shown.tree().nodes();
    json.writeObjectPropertyStart(name);
    put("note", Explanation.percentages(shown));
    if (!name.equals("place")) {
      put("names", rows.stream().map(PathLabels::name).toList());
      put("paths", rows.stream().map(row -> PathLabels.fit(row.parent(), PATH_WIDTH)).toList());
      json.writeArrayPropertyStart("of");
      for (int row : placesIn(shown.tree())) json.writeNumber(row);
      json.writeEndArray();
    }
    json.writeArrayPropertyStart("columns");
    for (Cells cells : Cells.of(List.of(Column.values()), rows, shown)) column(cells);
    json.writeEndArray();
    json.writeEndObject();
  }

  /** A column: its numbers, and what the page needs to write them as other formats do. */
  private void column(Cells cells) {
    json.writeStartObject();
    put("key", cells.column().name().toLowerCase(Locale.ROOT));
    put("title", cells.title());
    put("kind", cells.column().kind());
    put("scale", cells.scale());
    put("decimals", cells.decimals());
    if (cells.column().kind() == Column.Kind.WORDS) put("words", cells.texts());
    json.writeArrayPropertyStart("values");
    for (double value : cells.values()) {
      if (Double.isNaN(value)) json.writeNull();
      else json.writeNumber(value);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void recorded(String name, ToLongFunction<Node> value, long nothing) {
    // The root is no scope: its values alone do not make a column.
    if (nodes.stream().skip(1).anyMatch(n -> value.applyAsLong(n) != nothing)) column(name, value);
  }

  private void column(String name, ToLongFunction<Node> value) {
    json.writeArrayPropertyStart(name);
    for (Node node : nodes) json.writeNumber(value.applyAsLong(node));
    json.writeEndArray();
  }

  private void corrected(String name, ToDoubleFunction<Node> value) {
    json.writeArrayPropertyStart(name);
    for (Node node : nodes) json.writeNumber(Math.round(value.applyAsDouble(node) * 10) / 10.0);
    json.writeEndArray();
  }

  private void flags(String name, Predicate<Node> flag) {
    json.writeArrayPropertyStart(name);
    for (int i = 0; i < nodes.size(); i++) if (flag.test(nodes.get(i))) json.writeNumber(i);
    json.writeEndArray();
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
