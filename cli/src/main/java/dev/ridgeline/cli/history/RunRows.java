package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Table;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Selection;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.history").put("version", VERSION);
    root.put("all", all).put("selected", meant);
    var list = root.putArray("runs");
    for (Kept kept : shown) {
      Run run = kept.run();
      ObjectNode node = list.addObject();
      node.put("run", kept.directory().name()).put("name", run.name()).put("title", run.title());
      node.put("started", run.started().toString()).put("revision", run.revision());
      node.put("machine", run.machine().line());
      selection.metricOf(run).ifPresent(metric -> describe(metric, node.putObject("metric")));
    }
    return root.toPrettyString() + "\n";
  }

  private static void describe(Metric metric, ObjectNode node) {
    node.put("name", metric.name()).put("unit", metric.unit());
    node.put("better", metric.better().name().toLowerCase(Locale.ROOT));
    node.put("median", metric.median()).put("samples", metric.samples().size());
    node.put("halfRange", halfRange(metric));
  }
}
