package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.OfThread;
import dev.ridgeline.report.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link SamplesWriter} writes and refuses everything else. */
final class SamplesReader {
  private static final long MANY = Long.MAX_VALUE;

  /** What a row takes on the heap, roughly. */
  private static final long BYTES_PER_ROW = 64;

  private final List<Lane> lanes;
  private List<String> texts = List.of();

  SamplesReader(List<Lane> lanes) {
    this.lanes = lanes;
  }

  Samples read(JsonObject json) {
    texts = json.texts("texts");
    List<Location> locations = locations(json.object("locations"));
    List<Call> calls = calls(json.object("calls"), locations.size());
    Samples samples =
        new Samples(
            json.choice("source", Samples.Source.class),
            json.choice("event", Samples.Event.class),
            json.text("engine"),
            json.number("period", 0),
            locations,
            calls,
            cpu(json.object("cpu"), calls.size()),
            json.has("threads") ? threads(json.object("threads")) : List.of(),
            allocations(json.object("allocations"), calls.size()),
            json.has("live") ? allocations(json.object("live"), calls.size()) : List.of(),
            deoptimizations(json.object("deoptimizations"), locations.size()),
            quality(json.object("quality")));
    json.end();
    return samples;
  }

  private static Samples.Quality quality(JsonObject json) {
    Samples.Quality quality =
        new Samples.Quality(
            json.number("lost", 0),
            json.number("failed", 0),
            json.number("cutOff", 0),
            json.number("ownNanos", 0),
            json.number("clockErrorNanos", 0));
    json.end();
    return quality;
  }

  private List<Location> locations(JsonObject json) {
    int size = size(json, "line");
    long[] type = required(json, "type", size, 0, texts.size() - 1L);
    long[] method = required(json, "method", size, 0, texts.size() - 1L);
    long[] line = required(json, "line", size, 0, Integer.MAX_VALUE);
    long[] kind = required(json, "kind", size, 0, Kind.values().length - 1L);
    json.end();
    List<Location> locations = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      locations.add(
          new Location(
              text(type[i]), text(method[i]), (int) line[i], Kind.values()[(int) kind[i]]));
    }
    return locations;
  }

  private static List<Call> calls(JsonObject json, int locations) {
    int size = size(json, "caller");
    long[] caller = json.numbers("caller");
    for (int i = 0; i < size; i++) {
      if (caller[i] < -1 || caller[i] >= i) {
        throw json.fail("caller[" + i + "]", caller[i] + " is no earlier call");
      }
    }
    long[] location = required(json, "location", size, 0, locations - 1L);
    json.end();
    List<Call> calls = new ArrayList<>(size);
    for (int i = 0; i < size; i++) calls.add(new Call((int) caller[i], (int) location[i]));
    return calls;
  }

  private List<Cpu> cpu(JsonObject json, int calls) {
    int size = size(json, "lane");
    long[] lane = lanes(json, size);
    long[] node = nodes(json, lane);
    long[] stack = required(json, "stack", size, Samples.NO_STACK, calls - 1L);
    long[] samples = required(json, "samples", size, 0, MANY);
    long[] weight = required(json, "weight", size, 0, MANY);
    json.end();
    List<Cpu> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      rows.add(new Cpu((int) lane[i], (int) node[i], (int) stack[i], samples[i], weight[i]));
    }
    return rows;
  }

  private List<OfThread> threads(JsonObject json) {
    int size = size(json, "thread");
    long[] thread = required(json, "thread", size, 0, texts.size() - 1L);
    long[] samples = required(json, "samples", size, 0, MANY);
    long[] weight = required(json, "weight", size, 0, MANY);
    json.end();
    List<OfThread> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      rows.add(new OfThread(text(thread[i]), samples[i], weight[i]));
    }
    return rows;
  }

  private List<Allocated> allocations(JsonObject json, int calls) {
    int size = size(json, "lane");
    long[] lane = lanes(json, size);
    long[] node = nodes(json, lane);
    long[] stack = required(json, "stack", size, Samples.NO_STACK, calls - 1L);
    long[] type = required(json, "type", size, 0, texts.size() - 1L);
    long[] samples = required(json, "samples", size, 0, MANY);
    long[] bytes = required(json, "bytes", size, 0, MANY);
    json.end();
    List<Allocated> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      rows.add(
          new Allocated(
              (int) lane[i], (int) node[i], (int) stack[i], text(type[i]), samples[i], bytes[i]));
    }
    return rows;
  }

  private List<Deoptimized> deoptimizations(JsonObject json, int locations) {
    int size = size(json, "lane");
    long[] lane = lanes(json, size);
    long[] node = nodes(json, lane);
    long[] location = required(json, "location", size, 0, locations - 1L);
    long[] reason = required(json, "reason", size, 0, texts.size() - 1L);
    long[] times = required(json, "times", size, 0, MANY);
    json.end();
    List<Deoptimized> rows = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      rows.add(
          new Deoptimized(
              (int) lane[i], (int) node[i], (int) location[i], text(reason[i]), times[i]));
    }
    return rows;
  }

  private String text(long index) {
    return texts.get((int) index);
  }

  private static int size(JsonObject json, String column) {
    int size = json.numbers(column).length;
    json.reserve(size * BYTES_PER_ROW);
    return size;
  }

  private static long[] required(JsonObject json, String name, int size, long least, long most) {
    if (!json.has(name)) throw json.fail(name, "missing");
    return json.column(name, size, least, most, 0);
  }

  private long[] lanes(JsonObject json, int size) {
    return required(json, "lane", size, Samples.UNATTRIBUTED, lanes.size() - 1L);
  }

  private long[] nodes(JsonObject json, long[] lane) {
    long[] node = required(json, "node", lane.length, -1, Integer.MAX_VALUE);
    for (int i = 0; i < node.length; i++) {
      boolean there =
          lane[i] < 0
              ? node[i] == -1
              : node[i] >= 0 && node[i] < lanes.get((int) lane[i]).nodes().size();
      if (!there) throw json.fail("node[" + i + "]", "there is no node " + node[i]);
    }
    return node;
  }
}
