package dev.ridgeline.report;

import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.OfThread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Writes the part of {@code profile.json} that holds sampled stacks; nothing for no samples. */
final class SamplesWriter {
  private final JsonGenerator json;
  private final Columns columns;
  private final Map<String, Long> texts = new LinkedHashMap<>();

  SamplesWriter(JsonGenerator json) {
    this.json = json;
    this.columns = new Columns(json);
  }

  void write(Samples samples) {
    if (samples.equals(Samples.NONE)) return;
    json.writeObjectPropertyStart("samples");
    json.writeStringProperty("source", samples.source().name());
    json.writeStringProperty("event", samples.event().name());
    json.writeStringProperty("engine", samples.engine());
    json.writeNumberProperty("period", samples.period());
    quality(samples.quality());
    texts(samples);
    json.writeObjectPropertyStart("locations");
    columns.all("type", samples.locations(), at -> texts.get(at.type()));
    columns.all("method", samples.locations(), at -> texts.get(at.method()));
    columns.all("line", samples.locations(), Location::line);
    columns.all("kind", samples.locations(), at -> at.kind().ordinal());
    json.writeEndObject();
    json.writeObjectPropertyStart("calls");
    columns.all("caller", samples.calls(), Call::caller);
    columns.all("location", samples.calls(), Call::location);
    json.writeEndObject();
    json.writeObjectPropertyStart("cpu");
    columns.all("lane", samples.cpu(), Cpu::lane);
    columns.all("node", samples.cpu(), Cpu::node);
    columns.all("stack", samples.cpu(), Cpu::stack);
    columns.all("samples", samples.cpu(), Cpu::samples);
    columns.all("weight", samples.cpu(), Cpu::weight);
    json.writeEndObject();
    if (!samples.threads().isEmpty()) threads(samples.threads());
    allocated("allocations", samples.allocations());
    // Only where a collection found some.
    if (!samples.live().isEmpty()) allocated("live", samples.live());
    json.writeObjectPropertyStart("deoptimizations");
    columns.all("lane", samples.deoptimizations(), Deoptimized::lane);
    columns.all("node", samples.deoptimizations(), Deoptimized::node);
    columns.all("location", samples.deoptimizations(), Deoptimized::location);
    columns.all("reason", samples.deoptimizations(), row -> texts.get(row.reason()));
    columns.all("times", samples.deoptimizations(), Deoptimized::times);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void threads(List<OfThread> rows) {
    json.writeObjectPropertyStart("threads");
    columns.all("thread", rows, row -> texts.get(row.thread()));
    columns.all("samples", rows, OfThread::samples);
    columns.all("weight", rows, OfThread::weight);
    json.writeEndObject();
  }

  private void allocated(String name, List<Allocated> rows) {
    json.writeObjectPropertyStart(name);
    columns.all("lane", rows, Allocated::lane);
    columns.all("node", rows, Allocated::node);
    columns.all("stack", rows, Allocated::stack);
    columns.all("type", rows, row -> texts.get(row.type()));
    columns.all("samples", rows, Allocated::samples);
    columns.all("bytes", rows, Allocated::bytes);
    json.writeEndObject();
  }

  private void quality(Samples.Quality quality) {
    json.writeObjectPropertyStart("quality");
    json.writeNumberProperty("lost", quality.lost());
    json.writeNumberProperty("failed", quality.failed());
    json.writeNumberProperty("cutOff", quality.cutOff());
    json.writeNumberProperty("ownNanos", quality.ownNanos());
    json.writeNumberProperty("clockErrorNanos", quality.clockErrorNanos());
    json.writeEndObject();
  }

  private void texts(Samples samples) {
    for (Location location : samples.locations()) {
      index(location.type());
      index(location.method());
    }
    samples.threads().forEach(row -> index(row.thread()));
    samples.allocations().forEach(row -> index(row.type()));
    samples.live().forEach(row -> index(row.type()));
    samples.deoptimizations().forEach(row -> index(row.reason()));
    json.writeArrayPropertyStart("texts");
    texts.keySet().forEach(json::writeString);
    json.writeEndArray();
  }

  private void index(String text) {
    texts.putIfAbsent(text, (long) texts.size());
  }
}
