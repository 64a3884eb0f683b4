package dev.ridgeline.bench.peers;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.report.json.Json;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * What a work came to.
 *
 * @param sides ours, then the work's rivals in their order
 * @param dram bytes a second that memory was read with, around each round
 * @param weights bytes that a decoded token reads, or 0
 * @param notes what else a reader should know
 */
record Result(
    Work work,
    List<Agreement> agreements,
    List<Side> sides,
    List<Double> dram,
    long weights,
    List<String> notes) {

  /** Below this part of what a peer is known to reach, that is said. */
  private static final double AS_KNOWN = 0.9;

  /** Weights of so many bytes need not come from memory every time. */
  private static final long CACHED = 64 << 20;

  /** Which part of what memory gives decoding should read. */
  private static final Work.Bars OF_MEMORY = new Work.Bars(0.9, 0.85, 0.85);

  /**
   * An engine.
   *
   * @param rounds its figure in each
   */
  record Side(String name, String setup, double[] rounds) {
    double median() {
      return Median.of(rounds);
    }
  }

  private Side ours() {
    return sides.getFirst();
  }

  private double[] ratios(Side rival) {
    double[] ratios = new double[rival.rounds.length];
    for (int i = 0; i < ratios.length; i++) ratios[i] = ours().rounds[i] / rival.rounds[i];
    return ratios;
  }

  private boolean reached(double value, double bar) {
    return work.kind().latency() ? value <= bar : value >= bar;
  }

  /** A peer's figure as a part of what it is known to reach. */
  private double asKnown(int rival) {
    double part = sides.get(rival + 1).median() / work.rivals().get(rival).known();
    return work.kind().latency() ? 1 / part : part;
  }

  // For a reader.

  static final String HEADER =
      "%-20s %-9s %10s   %-18s %10s   %s%n"
          .formatted("work", "unit", "ridgeline", "peer", "its", "ratio (range), bar");

  /** A row for each rival, and lines about them. */
  String table() {
    StringBuilder table = new StringBuilder();
    double own = ours().median();
    if (work.rivals().isEmpty()) {
      String bar = work.least() > 0 ? bar("%,.0f".formatted(work.least()), own, work.least()) : "–";
      row(table, "–", "–", bar);
    }
    for (int i = 0; i < work.rivals().size(); i++) {
      Side rival = sides.get(i + 1);
      double[] ratios = ratios(rival);
      double median = Median.of(ratios);
      double bar = work.rivals().get(i).bars().here();
      String told = spread(ratios, "%.2f");
      if (bar > 0) told += ", " + bar("%.2f".formatted(bar), median, bar);
      row(table, rival.name, figure(rival.median()), told);
    }
    for (int i = 0; i < work.rivals().size(); i++) {
      if (work.rivals().get(i).known() == 0 || asKnown(i) >= AS_KNOWN) continue;
      table.append(
          "  %s reaches %.0f %% of the %s %s that its native harness had (Zen 4, 2 cores)%n"
              .formatted(
                  sides.get(i + 1).name,
                  100 * asKnown(i),
                  figure(work.rivals().get(i).known()),
                  work.kind().unit));
    }
    if (!dram.isEmpty()) memory(table);
    for (Agreement each : agreements) table.append("  ").append(each).append('\n');
    for (String note : notes) table.append("  ").append(note).append('\n');
    return table.toString();
  }

  private void row(StringBuilder table, String peer, String its, String told) {
    table.append(
        "%-20s %-9s %10s   %-18s %10s   %s%n"
            .formatted(work.name(), work.kind().unit, figure(ours().median()), peer, its, told));
  }

  private String bar(String said, double value, double bar) {
    return "%s %s %s"
        .formatted(
            work.kind().latency() ? "≤" : "≥", said, reached(value, bar) ? "reached" : "MISSED");
  }

  private void memory(StringBuilder table) {
    double[] read = dram.stream().mapToDouble(each -> each / 1e9).toArray();
    table.append("  DRAM read around the rounds %s GB/s".formatted(spread(read, "%.1f")));
    for (Side side : sides) {
      double rate = side.median() * weights / 1e9;
      table.append("; weights of %s %.1f GB/s".formatted(side.name, rate));
      if (weights <= CACHED) continue;
      double part = rate / Median.of(read);
      table.append(", %.0f %%".formatted(100 * part));
      double bar = OF_MEMORY.here();
      if (side == ours() && bar > 0) {
        table.append(" (≥ %.0f %% %s)".formatted(100 * bar, part >= bar ? "reached" : "MISSED"));
      }
    }
    if (weights <= CACHED) table.append("; they may come from a cache");
    table.append('\n');
  }

  private static String spread(double[] values, String format) {
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    return (format + " (" + format + "–" + format + ")").formatted(Median.of(values), low, high);
  }

  private static String figure(double value) {
    return value >= 1000 ? "%,.0f".formatted(value) : "%.2f".formatted(value);
  }

  // For a program.

  void json(OutputStream out) {
    try (JsonGenerator json = Json.indented(out)) {
      json.writeStartObject();
      json.writeStringProperty("work", work.name());
      json.writeStringProperty("model", work.model());
      json.writeStringProperty("unit", work.kind().unit);
      json.writeNumberProperty("tokens", work.tokens());
      json.writeArrayPropertyStart("agreements");
      for (Agreement each : agreements) {
        json.writeStartObject();
        json.writeStringProperty("between", each.between());
        json.writeStringProperty("found", each.found());
        json.writeBooleanProperty("holds", each.holds());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("engines");
      for (int i = 0; i < sides.size(); i++) side(i, json);
      json.writeEndArray();
      if (!dram.isEmpty()) {
        array("dram_bytes_per_second", dram.stream().mapToDouble(x -> x).toArray(), json);
        json.writeNumberProperty("weight_bytes", weights);
      }
      json.writeArrayPropertyStart("notes");
      for (String note : notes) json.writeString(note);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void side(int index, JsonGenerator json) {
    Side side = sides.get(index);
    json.writeStartObject();
    json.writeStringProperty("name", side.name);
    json.writeStringProperty("setup", side.setup);
    json.writeNumberProperty("median", side.median());
    array("rounds", side.rounds, json);
    if (index > 0) {
      Work.Rival rival = work.rivals().get(index - 1);
      double[] ratios = ratios(side);
      json.writeNumberProperty("ratio", Median.of(ratios));
      array("ratios", ratios, json);
      if (rival.bars().here() > 0) {
        json.writeNumberProperty("bar", rival.bars().here());
        json.writeBooleanProperty("reached", reached(Median.of(ratios), rival.bars().here()));
      }
      if (rival.known() > 0) {
        json.writeNumberProperty("known", rival.known());
        json.writeNumberProperty("part_of_known", asKnown(index - 1));
      }
    } else if (work.least() > 0) {
      json.writeNumberProperty("bar", work.least());
      json.writeBooleanProperty("reached", side.median() >= work.least());
    }
    json.writeEndObject();
  }

  private static void array(String name, double[] values, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (double value : values) json.writeNumber(value);
    json.writeEndArray();
  }
}
