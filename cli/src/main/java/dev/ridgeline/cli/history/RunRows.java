package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Table;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Selection;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Runs as a table.
 *
 * @param shown newest first
 * @param meant how many were asked for
 * @param all how many there are
 * @param selection which were asked for, and which metric
 */
record RunRows(List<Kept> shown, int meant, int all, Selection selection) {
  /** A change that breaks readers raises it. */
  private static final int VERSION = 1;

  private static final int MACHINE = 6;

  private static final DateTimeFormatter WHEN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  String text(int width) {
    if (meant == 0) return "no runs match (%,d in total)\n".formatted(all);
    boolean machines = shown.stream().map(kept -> machine(kept.run())).distinct().count() > 1;
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        row(
            machines,
            "when, UTC",
            "name",
            "median",
            "spread",
            "metric",
            "revision",
            "machine",
            "what"));
    for (Kept kept : shown) rows.add(row(machines, cells(kept.run())));
    StringBuilder text = new StringBuilder();
    Table.of(rows, 2, 3).lines().forEach(line -> text.append(Text.fit(line, width)).append('\n'));
    return text.append(counts()).append('\n').toString();
  }

  private static List<String> row(boolean machines, String... cells) {
    List<String> row = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      if (i != MACHINE || machines) row.add(Text.clean(cells[i]));
    }
    return row;
  }

  private String[] cells(Run run) {
    Optional<Metric> metric = selection.metricOf(run);
    return new String[] {
      WHEN.format(run.started()),
      run.name(),
      metric.map(m -> Quantity.number(m.median()) + " " + m.unit()).orElse("–"),
      metric.map(RunRows::spread).orElse("–"),
      metric.map(Metric::name).orElse("–"),
      run.revision().isEmpty() ? "–" : run.revision(),
      machine(run),
      run.title()
    };
  }

  /** Processor and cores: what of the machine a person knows it by. */
  private static String machine(Run run) {
    Machine machine = run.machine();
    String cpu =
        machine.microarchitecture().isEmpty() ? machine.cpu() : machine.microarchitecture();
    String known = cpu.isEmpty() ? "–" : cpu;
    return machine.cores() == Machine.UNKNOWN
        ? known
        : known + ", " + Quantity.many(machine.cores(), "core");
  }

  /** Half of what lies between the smallest and the largest sample, as a part of the median. */
  private static String spread(Metric metric) {
    double half = halfRange(metric) / Math.abs(metric.median());
    return metric.samples().size() < 2 || !Double.isFinite(half)
        ? "–"
        : "±" + Quantity.percent(half);
  }

  private static double halfRange(Metric metric) {
    double least = metric.samples().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double most = metric.samples().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return most / 2 - least / 2;
  }

  private String counts() {
    return meant == all
        ? "%s of %s".formatted(Quantity.count(shown.size()), Quantity.many(all, "run"))
        : "%s of %s such, %s in all"
            .formatted(
                Quantity.count(shown.size()),
                Quantity.many(meant, "run"),
                Quantity.many(all, "run"));
  }

  String json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter.write(
        bytes,
        json ->
            json.text("schema", "ridgeline.history")
                .number("version", VERSION)
                .number("all", all)
                .number("selected", meant)
                .objects("runs", shown, this::write));
    return bytes.toString(StandardCharsets.UTF_8) + "\n";
  }

  private void write(JsonWriter json, Kept kept) {
    Run run = kept.run();
    json.text("run", kept.directory().name())
        .text("name", run.name())
        .text("title", run.title())
        .text("started", run.started().toString())
        .text("revision", run.revision())
        .text("machine", run.machine().line());
    selection.metricOf(run).ifPresent(it -> json.object("metric", each -> write(each, it)));
  }

  private static void write(JsonWriter json, Metric metric) {
    json.text("name", metric.name())
        .text("unit", metric.unit())
        .text("better", metric.better().name().toLowerCase(Locale.ROOT))
        .real("median", metric.median())
        .number("samples", metric.samples().size())
        .real("halfRange", halfRange(metric));
  }
}
